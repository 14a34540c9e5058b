"""Slack exports of a test's own making, and the command that imports them."""

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
    """A time so many seconds after the channel was created."""
    return f"{T0 + second:.6f}"


def said(second: float, text: str = "hello", user: str = "U1", **fields: Any) -> Entry:
    """A message as a day file has it."""
    return {"type": "message", "user": user, "text": text, "ts": ts(second), **fields}


def write_zip(
    path: Path, days: Mapping[str, Any], users: Any = (ADA, BOB), channels: Any = (GENERAL,), **others: Any
) -> Path:
    """An export: `days` holds what stands in each day file, the rest what stands at the top."""
    with ZipFile(path, "w", ZIP_DEFLATED) as file:
        for name, content in {"users": users, "channels": channels, **others}.items():
            if content is not None:
                file.writestr(f"{name}.json", json.dumps(content))
        for name, content in days.items():
            file.writestr(name, content if isinstance(content, str | bytes) else json.dumps(content))
    return path


def one_day(path: Path, messages: Sequence[Entry], **others: Any) -> Path:
    """An export of one channel with one day."""
    return write_zip(path, {"general/2017-07-14.json": messages}, **others)


@dataclass
class Told:
    """How an import went: each line of the summary as (added, already there), and all that was said."""

    status: int
    summary: dict[str, tuple[int, int]]
    text: str
    refusal: str


def run_import(api: Api, path: Path, **destination: str) -> Told:
    """`atrium import slack`, in this process."""
    into = {"organization": api.organization_id, "space": api.space_id} | destination
    options = [part for name, value in into.items() for part in (f"--{name}", value)]
    result = CliRunner().invoke(app, ["import", "slack", str(path), *options], env=api.settings.environment())
    if result.exception and not isinstance(result.exception, SystemExit) and result.exc_info:
        if type(result.exception).__name__ != "Refusal":
            raise result.exception
        return Told(1, {}, result.output, str(result.exception))
    return Told(result.exit_code, summary_of(result.stdout), result.output, "")


def summary_of(text: str) -> dict[str, tuple[int, int]]:
    """The rows at the end of an import."""
    rows = re.findall(r"^([a-z ]+)\t(\d+)\t(\d+)$", text, re.MULTILINE)
    return {name: (int(added), int(known)) for name, added, known in rows}


def rooms_named(api: Api, name: str) -> list[Entry]:
    """The rooms of the first space with that name, but the one that every organization begins with."""
    rooms = api.person.get(f"/v2/spaces/{api.space_id}/rooms", params={"limit": 200}).json()["rooms"]
    return [room for room in rooms if room["name"] == name and room["room_id"] != api.room_id]


def history(api: Api, name: str = "general") -> list[Entry]:
    """All messages of the imported room, oldest first, by the contract's walk."""
    [room] = rooms_named(api, name)
    return messages_of(walk(api.integration, room["room_id"], limit="200"))[::-1]
