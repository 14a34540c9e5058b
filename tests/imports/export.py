"""Write Slack exports for tests, and run the command that imports them."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from typer.testing import CliRunner

from atrium.cli.main import app
from tests.conftest import Api
from tests.messages.walk import messages_of, walk

Entry = dict[str, Any]
T0 = 1_500_000_000
ADA: Entry = {"id": "U1", "name": "ada", "profile": {"real_name": "Ada L"}}
BOB: Entry = {"id": "U2", "name": "bob", "profile": {"real_name": "Bob"}}
GENERAL: Entry = {"id": "C1", "name": "general", "created": T0, "purpose": {"value": "All of us &amp; more"}}


def ts(second: float) -> str:
    """Return the Slack timestamp `second` seconds after the channel was created."""
    return f"{T0 + second:.6f}"


def slack_message(second: float, text: str = "hello", user: str = "U1", **fields: Any) -> Entry:
    """Return a message in the format of a day file."""
    return {"type": "message", "user": user, "text": text, "ts": ts(second), **fields}


def write_zip(
    path: Path, days: Mapping[str, Any], users: Any = (ADA, BOB), channels: Any = (GENERAL,), **others: Any
) -> Path:
    """Write an export: `days` are the contents of the day files, the rest those of the files at the top."""
    with ZipFile(path, "w", ZIP_DEFLATED) as file:
        for name, content in {"users": users, "channels": channels, **others}.items():
            if content is not None:
                file.writestr(f"{name}.json", json.dumps(content))
        for name, content in days.items():
            file.writestr(name, content if isinstance(content, str | bytes) else json.dumps(content))
    return path


def one_day(path: Path, messages: Sequence[Entry], **others: Any) -> Path:
    """Write an export of one channel with one day."""
    return write_zip(path, {"general/2017-07-14.json": messages}, **others)


@dataclass
class ImportResult:
    """The result of an import: each line of the summary as (added, already there), the output and the error."""

    status: int
    summary: dict[str, tuple[int, int]]
    text: str
    error: str


def run_import(api: Api, path: Path, **destination: str) -> ImportResult:
    """Run `atrium import slack` in this process."""
    into = {"organization": api.organization_id, "space": api.space_id} | destination
    options = [part for name, value in into.items() for part in (f"--{name}", value)]
    result = CliRunner().invoke(app, ["import", "slack", str(path), *options], env=api.settings.environment())
    if result.exception and not isinstance(result.exception, SystemExit) and result.exc_info:
        if type(result.exception).__name__ != "CommandError":
            raise result.exception
        return ImportResult(1, {}, result.output, str(result.exception))
    return ImportResult(result.exit_code, summary_of(result.stdout), result.output, "")


def summary_of(text: str) -> dict[str, tuple[int, int]]:
    """Return the rows at the end of an import's output."""
    rows = re.findall(r"^([a-z ]+)\t(\d+)\t(\d+)$", text, re.MULTILINE)
    return {name: (int(added), int(known)) for name, added, known in rows}


def rooms_named(api: Api, name: str) -> list[Entry]:
    """Return the rooms of the first space with that name or that and a number, except the organization's first room."""
    called = re.compile(re.escape(name) + r"( \(\d+\))?")
    rooms = api.person.get(f"/v2/spaces/{api.space_id}/rooms", params={"limit": 200}).json()["rooms"]
    return [room for room in rooms if called.fullmatch(room["name"]) and room["room_id"] != api.room_id]


def history(api: Api, name: str = "general") -> list[Entry]:
    """Return all messages of the imported room, oldest first."""
    [room] = rooms_named(api, name)
    return messages_of(walk(api.integration, room["room_id"], limit="200"))[::-1]


def members(api: Api) -> dict[str, Entry]:
    found = api.person.get(f"{api.organization}/members", params={"limit": 200}).json()["members"]
    return {member["name"]: member for member in found}
