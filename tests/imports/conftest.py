"""A real archive, imported once for all tests that only read it."""

import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from tests.conftest import ATRIUM, SHARED_DATA, Api, RunningServer, new_organization
from tests.imports.export import summary_of

ARCHIVE = SHARED_DATA / "slack-racket.zip"


@dataclass
class Racket:
    """The contents of the archive, and the room it was imported into."""

    api: Api
    room_id: str
    summary: dict[str, tuple[int, int]]
    entries: list[dict[str, Any]]
    names: dict[str, str]


@pytest.fixture(scope="session")
def archive() -> Path:
    """The path of the real archive; tests that need it are skipped without it."""
    if not ARCHIVE.exists():
        pytest.skip(f"the shared data folder with {ARCHIVE.name} is not on this machine")
    return ARCHIVE


@pytest.fixture(scope="session")
def racket(server: RunningServer, archive: Path) -> Iterator[Racket]:
    """The archive, imported by the command while the server runs."""
    api = new_organization(server.settings, server.url, "Racket")
    summary = summary_of(command(api, archive))
    found = api.sql("select room_id from rooms where space_id = $1 and room_id <> $2", api.space_id, api.room_id)
    entries, names = read_archive(archive)
    yield Racket(api, str(found[0]["room_id"]), summary, entries, names)
    api.close()


def arguments(api: Api, archive: Path) -> list[str]:
    """Return the command line that imports an archive into the first space of an organization."""
    return [
        str(ATRIUM),
        "import",
        "slack",
        str(archive),
        "--organization",
        api.organization_id,
        "--space",
        api.space_id,
    ]


def command(api: Api, archive: Path) -> str:
    """Run the command in its own process; return its output."""
    done = subprocess.run(
        arguments(api, archive),
        check=False,
        env={**os.environ, **api.settings.environment()},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def read_archive(archive: Path) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Return the messages in the zip by time and the people's names, read without Atrium's code."""
    with ZipFile(archive) as file:
        days = [json.loads(file.read(name)) for name in file.namelist() if "/" in name]
        users = json.loads(file.read("users.json"))
    entries = sorted((entry for day in days for entry in day), key=lambda entry: float(entry["ts"]))
    return entries, {user["id"]: user["real_name"] for user in users}
