"""Import history: the team's own last month, and an archive if there is one."""

import json
import os
import zipfile
from datetime import date
from pathlib import Path

from atrium.client import Atrium
from demo.organization import Organization
from demo.server import Server
from demo.slack_export import write_team_export
from demo.talk import Message, read_talk
from demo.team import JsonObject, Team

# A Slack export to import as well: the file that DEMO_ARCHIVE names (none if empty), or one next to the project.
SHARED = Path(__file__).parents[2] / "shared" / "data" / "slack-racket.zip"
ARCHIVE = Path(os.environ.get("DEMO_ARCHIVE", SHARED))


def import_history(server: Server, team: Team, folder: Path, today: date) -> None:
    """Import the conversations of the last month, a space at a time."""
    for space in team.content.spaces:
        talks = [(room, _past(room.name, team.content)) for room in space.rooms]
        export = folder / f"{team.spaces[space.name]}.zip"
        write_team_export(export, team.content, [(room, talk) for room, talk in talks if talk], today)
        _import(server, team, export, space.name)


def import_archive(server: Server, team: Team) -> None:
    """Import the archive into a space of its own, and name each room after the archive and its channel."""
    with zipfile.ZipFile(ARCHIVE) as archive:
        channels = [channel["name"] for channel in json.loads(archive.read("channels.json"))]
    name, description = "Slack archive", f"History imported from {ARCHIVE.name}"
    made = team.create(f"{team.path}/spaces", name=name, description=description)
    team.spaces[name] = made["space"]["space_id"]
    _import(server, team, ARCHIVE, name)
    rooms = {room.name: room.room_id for room in team.owner.rooms(team.spaces[name])}
    for channel in channels:
        body = {"name": f"{ARCHIVE.stem}-{channel}", "description": f"#{channel} of {ARCHIVE.name}"}
        team.owner.request("PATCH", f"/v2/rooms/{rooms[channel]}", JsonObject, body=body)


def mark_read(team: Team, person: str) -> None:
    """Mark everything that a person can see as read, so that only today's messages are new."""
    client = team.client(person)
    for space_id in team.spaces.values():
        for room in client.rooms(space_id):
            _mark_room_read(client, f"/v2/rooms/{room.room_id}")


def _mark_room_read(client: Atrium, path: str) -> None:
    newest = client.request("GET", f"{path}/messages", JsonObject, query={"limit": 1})["messages"]
    if newest:
        client.request("PUT", f"{path}/read-marker", JsonObject, body={"message_id": newest[0]["message_id"]})


def _past(room: str, content: Organization) -> list[Message]:
    return [message for message in read_talk(room, content.people) if message.days_ago]


def _import(server: Server, team: Team, export: Path, space: str) -> None:
    ids = ("--organization", str(team.organization_id), "--space", str(team.spaces[space]))
    server.run("import", "slack", str(export), *ids)
