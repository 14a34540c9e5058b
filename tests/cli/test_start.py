"""A command imports only what it needs."""

import os
import subprocess
import sys

import pytest
import typer.main

from atrium.cli.lazy import COMMANDS, load_command
from atrium.cli.main import app
from tests.conftest import ATRIUM

SERVER = "atrium.server.app"
HEAVY = ("sqlalchemy", "alembic", "granian", "aiohttp", "asyncpg", "pydantic_settings", "prometheus_client")


def modules_imported_by(code: str) -> set[str]:
    program = f"import sys; {code}; print(*sys.modules)"
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    return {*output.stdout.split(), *(name.partition(".")[0] for name in output.stdout.split())}


def test_the_command_itself_imports_nothing_heavy() -> None:
    assert not modules_imported_by("import atrium.cli.main").intersection((*HEAVY, SERVER))


@pytest.mark.parametrize("name", ["mail", "keys", "people", "doctor", "export", "receive", "webhooks", "backup"])
def test_no_command_but_the_server_imports_the_server(name: str) -> None:
    assert not modules_imported_by(f"from atrium.cli.lazy import load_command; load_command({name!r})") & {
        SERVER,
        "granian",
        "alembic",
    }


@pytest.mark.parametrize(
    "needed_by",
    [("scim2_models", "lark"), ("authlib", "joserfc", "httpx"), ("aiohttp",), ("markdown_it",), ("PIL",)],
    ids=["SCIM", "OpenID Connect", "the metrics port and a transcription server", "the guides", "thumbnails"],
)
def test_the_server_starts_without_modules_that_only_some_requests_need(needed_by: tuple[str, ...]) -> None:
    assert not modules_imported_by("import atrium.cli.serve") & {
        SERVER,
        "granian",
    }  # PostgreSQL starts while they are imported
    imported = modules_imported_by("import atrium.cli.http_server")
    assert SERVER in imported
    assert not imported.intersection(("alembic", *needed_by))


@pytest.mark.parametrize("name", COMMANDS)
def test_the_command_list_shows_each_commands_own_description(name: str) -> None:
    command = load_command(name)
    assert " ".join((command.help or "").split()).startswith(COMMANDS[name].summary.rstrip("."))
    assert command.name == name


def test_the_list_names_every_command() -> None:
    output = subprocess.run(
        [ATRIUM, "--help"], env={**os.environ, "COLUMNS": "200"}, capture_output=True, text=True, check=True, timeout=60
    ).stdout
    assert all(f"{name} " in output and COMMANDS[name].summary in output for name in COMMANDS)
    assert set(typer.main.get_command(app).commands) == set(COMMANDS)  # type: ignore[attr-defined]


def test_an_unknown_command_is_rejected_with_the_closest_match() -> None:
    done = subprocess.run([ATRIUM, "docter"], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert "docter" in done.stderr
