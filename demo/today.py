"""Send today's messages of the team one by one; each fires the webhooks."""

from uuid import UUID

from demo.drawings import FILES
from demo.slack_export import MENTION
from demo.talk import Message, read_talk
from demo.team import JsonObject, Team


def send_messages(team: Team) -> None:
    """Send today's messages in every room."""
    for name in team.rooms:
        for message in read_talk(name, team.content.people):
            if message.days_ago == 0:
                _send_thread(team, name, message)


def write_page(team: Team) -> None:
    """Write the blocks of the first room's page."""
    room = team.content.spaces[0].rooms[0].name
    for block in team.content.page:
        body = {"type": block.type, "content": block.content}
        team.owner.create(f"/v2/rooms/{team.rooms[room]}/blocks", JsonObject, body)


def _send_thread(team: Team, room: str, root: Message) -> None:
    root_id = _send(team, room, root)
    for reply in root.replies:
        _send(team, room, reply, parent_id=root_id)


def _send(team: Team, name: str, message: Message, parent_id: UUID | None = None) -> UUID:
    """Send one message as the person who says it, and have others react. Return its id."""
    room = team.room(name, message.person)
    path = f"/v2/rooms/{room.room_id}/attachments"
    files = [team.upload(message.person, path, file, FILES[file]()) for file in message.files]
    text = MENTION.sub(
        lambda found: f"<@{team.people[found[1]]}>" if found[1] in team.people else found[0], message.text
    )
    sent = room.send(text, parent_id=parent_id, attachments=[UUID(file["attachment_id"]) for file in files])
    for emoji, people in message.reactions.items():
        for person in people:
            team.room(name, person).react(sent.message_id, emoji)
    return sent.message_id
