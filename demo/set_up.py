"""The set-up of the demo, a line printed for each step."""

import tempfile
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from msgspec import Struct

from demo import tools
from demo.history import ARCHIVE, import_archive, import_history, mark_read
from demo.organization import read_organization
from demo.past import invent_past
from demo.receiver import Receiver
from demo.recording import record_talk
from demo.server import Server
from demo.talk_video import CannotRecord, has_speech
from demo.team import Team, create_groups, create_rooms, create_spaces, invite_people, name_first_room
from demo.today import send_messages, write_page


class Created(Struct, frozen=True):
    """The output of `atrium init`."""

    organization_id: UUID
    person_id: UUID
    space_id: UUID
    room_id: UUID
    organization_key: str
    personal_key: str


class SavedDemo(Struct, frozen=True):
    """The facts about the organization that the next run needs, saved next to its data."""

    organization_id: UUID
    keys: dict[str, str]
    people: dict[str, UUID]
    rooms: dict[str, UUID]
    hook: tools.ConnectedWebhook
    port: int


def create_organization(server: Server) -> Created:
    """Create the organization and its owner."""
    content = read_organization()
    words = ("--organization", content.name, "--email", content.email(content.owner))
    return server.read(Created, "init", *words, "--name", content.people[content.owner].name)


def set_up(server: Server, first: Created, receiver: Receiver) -> SavedDemo:
    """Set up everything else. The server is up and the receiver listens."""
    content = read_organization()
    keys, people = {content.owner: first.personal_key}, {content.owner: first.person_id}
    team = Team(content, server.url, first.organization_id, keys, people)
    with tempfile.TemporaryDirectory() as folder:
        print("Inviting the team, creating groups and spaces")
        invite_people(team)
        create_spaces(team, first.space_id, create_groups(team))
        name_first_room(team, first.room_id)
        print("Importing a month of conversations")
        import_history(server, team, Path(folder), datetime.now(UTC).date())
        create_rooms(team)
        if ARCHIVE.is_file():
            print(f"Importing {ARCHIVE.name}")
            import_archive(server, team)
        print("Connecting tools, sending today's messages")
        hook = _converse(team, receiver)
        invent_past(server, team.organization_id)
        _record(team, Path(folder))
    tools.wait_for_retry(team, hook)
    return SavedDemo(team.organization_id, team.keys, team.people, team.rooms, hook, receiver.server_port)


def _converse(team: Team, receiver: Receiver) -> tools.ConnectedWebhook:
    """Connect the tools, and add what is new today."""
    for person in (team.content.owner, team.content.visitor):
        mark_read(team, person)
    tools.create_integrations(team)
    hook = tools.create_webhooks(team, receiver)
    tools.post_from_tools(team)
    write_page(team)
    send_messages(team)
    return hook


def _record(team: Team, folder: Path) -> None:
    print("Recording a talk" if has_speech() else "Recording a talk, silent because espeak-ng is not installed")
    try:
        record_talk(team, folder)
    except CannotRecord as error:
        print(f"  {error}")
