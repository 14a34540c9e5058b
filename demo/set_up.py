"""The set-up of the demo, a line printed for each step."""

import tempfile
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from msgspec import Struct

from demo import history, team, tools
from demo.film import CannotRecord, speaks
from demo.organization import read_organization
from demo.receiver import Receiver
from demo.recording import record_talk
from demo.server import Server
from demo.today import send_messages, write_page


class Created(Struct, frozen=True):
    """What `atrium init` prints."""

    organization_id: UUID
    person_id: UUID
    space_id: UUID
    room_id: UUID
    organization_key: str
    personal_key: str


class SavedDemo(Struct, frozen=True):
    """What the next run has to know of the organization, in a file next to the data."""

    organization_id: UUID
    keys: dict[str, str]
    people: dict[str, UUID]
    rooms: dict[str, UUID]
    hook: tools.OpenHook
    port: int


def create_organization(server: Server) -> Created:
    """Create the organization and its owner."""
    content = read_organization()
    words = ("--organization", content.name, "--email", content.email(content.owner))
    return server.read(Created, "init", *words, "--name", content.people[content.owner].name)


def set_up(server: Server, first: Created, receiver: Receiver) -> SavedDemo:
    """Set up everything else. The server is up and the receiver listens."""
    content = read_organization()
    here = team.Team(
        content, server.url, first.organization_id, {content.owner: first.personal_key},
        {content.owner: first.person_id},
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        print("Inviting the team, creating groups and spaces")
        team.invite_people(here)
        team.create_spaces(here, first.space_id, team.create_groups(here))
        print("Importing a month of conversations")
        history.import_history(server, here, Path(folder), datetime.now(UTC).date())
        team.create_rooms(here, first.room_id)
        _import_archive(server, here)
        print("Connecting tools, sending today's messages")
        hook = _converse(here, receiver)
        _record(here, Path(folder))
    tools.wait_for_retry(here, hook)
    return SavedDemo(here.organization_id, here.keys, here.people, here.rooms, hook, receiver.server_port)


def _import_archive(server: Server, here: team.Team) -> None:
    if history.ARCHIVE.is_file():
        print(f"Importing {history.ARCHIVE.name}")
        history.import_archive(server, here)
    for person in (here.content.owner, here.content.visitor):
        history.mark_read(here, person)


def _converse(here: team.Team, receiver: Receiver) -> tools.OpenHook:
    tools.create_integrations(here)
    hook = tools.create_webhooks(here, receiver)
    tools.post_from_tools(here)
    write_page(here)
    send_messages(here)
    return hook


def _record(here: team.Team, folder: Path) -> None:
    print("Recording a talk" if speaks() else "Recording a talk, silent because espeak-ng is not installed")
    try:
        record_talk(here, folder)
    except CannotRecord as error:
        print(f"  {error}")
