"""Piped output is plain and complete; terminal output fits the width and is complete too."""

import ast
import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from typer.testing import CliRunner

from atrium.cli.lazy import COMMANDS
from atrium.cli.main import app
from atrium.cli.phases import Phases
from tests.cli.mails import put
from tests.cli.terminal import ANSI, BOXES, on_terminal, plain, run_with_pipes
from tests.conftest import Api
from tests.house.commands import FOUND
from tests.house.sources import ROOT

LONG = "Quarterly-figures-of-the-analytical-engine,-read-by-a-machine"
LISTS = {  # and the number of cells in a row
    ("people", "list"): 6,
    ("keys", "list"): 9,
    ("mail",): 5,
    ("doctor",): 4,
}


@pytest.fixture
def long_names(api: Api) -> Iterator[Api]:
    """Yield an organization with a long name in each list."""
    put(api, 2, subject=f"{LONG}  of\ttoday")
    person, _ = api.new_person()
    api.sql("update actors set name = $1 where actor_id = $2::uuid", LONG, person)
    content = {"name": LONG, "spaces": [], "organization_role": "member"}
    assert api.person.post(f"{api.organization}/api-keys", json={"content": content}).status_code == 201
    yield api
    api.sql("delete from mails")


def of(api: Api, words: tuple[str, ...]) -> tuple[str, ...]:
    return (*words, "--organization", api.organization_id) if len(words) > 1 else words


def values(found: Any) -> Iterator[str]:
    """Return the ids and names of a row, which may never be truncated."""
    for each in found:
        yield from (each[key] for key in ("person_id", "api_key_id", "mail_id", "name", "email", "to") if key in each)


def as_json(api: Api, words: tuple[str, ...]) -> Any:
    return json.loads(CliRunner().invoke(app, [*of(api, words), "--json"], env=api.settings.environment()).stdout)


@pytest.mark.contract("Operations 17")
@pytest.mark.parametrize("words", LISTS, ids=" ".join)
def test_a_piped_list_is_plain_rows_separated_by_tabs(long_names: Api, words: tuple[str, ...]) -> None:
    result, found = (
        run_with_pipes(*of(long_names, words), **long_names.settings.environment()),
        as_json(long_names, words),
    )
    rows = [line.split("\t") for line in result.out.splitlines()]
    assert {len(row) for row in rows} == {LISTS[words]}
    assert len(rows) == len(found)
    assert {cell for row in rows for cell in row} >= set(values(found))
    assert not ANSI.search(result.out + result.error)
    assert not BOXES.search(result.out + result.error)


@pytest.mark.contract("Operations 17")
def test_a_list_on_a_terminal_is_complete_and_its_table_fits(long_names: Api) -> None:
    lists = [words for words in LISTS if words != ("doctor",)]
    runs = [(columns, words) for words in lists for columns in (40, 80, 200)]
    result = on_terminal(
        *((columns, of(long_names, words)) for columns, words in runs), **long_names.settings.environment()
    )
    for (columns, words), each in zip(runs, result, strict=True):
        seen = plain(each.out)
        assert all(value in seen for value in values(as_json(long_names, words)))
        assert LONG in seen
        assert "…" not in seen
        assert "\x1b" in each.out
        assert not BOXES.search(seen)
        if columns == 200:
            assert seen.split()[0] in ("name", "subject")
            assert all(len(line) <= columns for line in seen.splitlines())


def test_doctor_wraps_its_findings_at_words_only_on_a_terminal(api: Api) -> None:
    here = {**api.settings.environment(), "ATRIUM_SMTP_URL": "smtp://127.0.0.1:9"}
    runs = [(columns, ("doctor",)) for columns in (40, 80)]
    for (columns, _), result in zip(runs, on_terminal(*runs, **here), strict=True):
        assert all(len(line) <= columns for line in plain(result.out).splitlines())
        assert "mail server" in plain(result.out)
    checked = CliRunner().invoke(app, ["doctor"], env=here)
    (row,) = [line.split("\t") for line in checked.stdout.splitlines() if "\tmail server\t" in line]
    found = json.loads(CliRunner().invoke(app, ["doctor", "--json"], env=here).stdout)
    (server,) = [each for each in found if each["check"] == "mail server"]
    assert row == [server[name] for name in ("verdict", "check", "summary", "advice")]
    assert "1 failed" in checked.stderr


@pytest.mark.contract("Operations 17")
def test_a_pipe_receives_only_the_result(api: Api) -> None:
    here = ("--organization", api.organization_id)

    def result(*words: str) -> Any:
        return CliRunner().invoke(app, [*words, *here], env=api.settings.environment())

    made = result("keys", "create", "--name", "Bot")
    assert api.client(made.stdout.strip()).get(api.organization).status_code == 200
    assert "shown only once" in made.stderr
    invited = result("people", "invite", f"{uuid4().hex}@example.org")
    (token,) = invited.stdout.splitlines()
    body = {"content": {"token": token, "name": "Bob"}}
    assert api.client(None).post("/v1/invitations/accept", json=body).status_code == 201
    assert "was invited as member" in invited.stderr


@pytest.mark.contract("Operations 17")
def test_piped_help_is_plain_and_not_wrapped() -> None:
    for words, command in FOUND.items():
        result = CliRunner().invoke(app, [*words.split()[1:], "--help"], env={"COLUMNS": "40"}).stdout
        assert not BOXES.search(result)
        paragraphs = [" ".join(each.split()) for each in (command.help or "").split("\n\n")]
        assert {f"  {each}" for each in paragraphs} <= set(result.splitlines()), words
        options = [each.help for each in command.params if each.param_type_name == "option"]
        assert all(any(str(text) in line for line in result.splitlines()) for text in options), words


def test_help_fits_the_terminal_and_truncates_nothing() -> None:
    commands = [(), *(tuple(words.split()[1:]) for words in FOUND)]
    runs = [(columns, (*words, "--help")) for words in commands for columns in (40, 80)]
    for (columns, words), result in zip(runs, on_terminal(*runs), strict=True):
        assert all(len(line.rstrip()) <= max(columns, 60) for line in result.out.splitlines()), words
        assert "…" not in result.out.replace("whsec_…", "")
        if words == ("--help",):
            together = " ".join(result.out.split())
            assert all(f"{name} {listed.summary}" in together for name, listed in COMMANDS.items())


def test_a_usage_error_is_printed_in_plain_lines() -> None:
    result = run_with_pipes("keys", "create", "--role", "king", "--name", "x")
    assert (result.out, result.status) == ("", 2)
    assert not BOXES.search(result.error)
    assert not ANSI.search(result.error)
    assert "'king' is not one of 'guest', 'member', 'reader', 'admin', 'super_admin'." in result.error


def test_progress_bars_are_shown_only_on_terminals(capfd: pytest.CaptureFixture[str]) -> None:
    with Phases() as report_progress:
        report_progress("media", 1, 2)
    assert capfd.readouterr() == ("", "")


def test_one_module_decides_how_output_is_printed() -> None:
    made = {"Console", "Table", "Panel", "Typer"}
    homes = {
        "Console": {"output.py"},
        "Table": {"output.py", "doctor.py"},
        "Typer": {"help_text.py", "lazy.py", "main.py"},
    }
    for path in (ROOT / "src" / "atrium" / "cli").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and (name := ast.unparse(node.func).rpartition(".")[2]) in made:
                assert path.name in homes.get(name, set()), f"{path.name} makes a {name} of its own"
