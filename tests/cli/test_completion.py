"""Shells complete commands, options and roles."""

import os
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from atrium.cli.lazy import COMMANDS
from atrium.cli.main import app
from tests.cli.terminal import environment
from tests.conftest import ATRIUM

SHELLS = ("bash", "zsh", "fish")


def completions(shell: str, line: str) -> str:
    """Return the completions when Tab is pressed at the end of the line."""
    words = line.split(" ")
    given = {
        "_ATRIUM_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
        "_TYPER_COMPLETE_ARGS": line,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    return CliRunner().invoke(app, [], env=given, prog_name="atrium").stdout


@pytest.mark.contract("Operations 21")
@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("line", "offered", "others"),
    [
        ("atrium ", [*COMMANDS], ["list"]),
        ("atrium ke", ["keys"], ["mail"]),
        ("atrium keys ", ["list", "create", "narrow", "rotate", "revoke"], ["serve"]),
        ("atrium keys create --per", ["--person"], ["--role"]),
        ("atrium keys create --role ", ["guest", "member", "reader", "admin", "super_admin"], ["--person"]),
        ("atrium serve --wor", ["--workers"], ["--port"]),
    ],
)
def test_commands_options_and_roles_are_completed(shell: str, line: str, offered: list[str], others: list[str]) -> None:
    output = completions(shell, line)
    if shell == "zsh":
        completed = [each.partition('"')[2].partition('"')[0] for each in output.splitlines()]
    else:
        completed = [each.partition("\t")[0] for each in output.splitlines()]
    assert [each for each in completed if each in offered] == offered
    assert not set(completed) & set(others)


@pytest.mark.parametrize("shell", SHELLS)
def test_there_is_a_script_for_each_shell(shell: str) -> None:
    output = CliRunner().invoke(app, [], env={"_ATRIUM_COMPLETE": f"source_{shell}"}, prog_name="atrium")
    assert output.exit_code == 0
    assert f"complete_{shell}" in output.stdout


@pytest.mark.contract("Operations 21")
def test_bash_completes_commands_with_the_generated_script() -> None:
    script = f'''
        PATH={ATRIUM.parent}:$PATH
        eval "$(atrium --show-completion)"
        COMP_WORDS=(atrium keys r) COMP_CWORD=2
        _atrium_completion atrium
        echo "${{COMPREPLY[@]}}"'''
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        env=environment({"SHELL": "/bin/bash"}),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert done.stdout.split() == ["rotate", "revoke"]


def test_command_names_are_completed_without_importing_the_commands() -> None:
    code = """
import sys
from atrium.cli.main import app
try:
    app(prog_name="atrium")
except SystemExit:
    print(sorted({"asyncpg", "atrium.server.app", "granian"} & set(sys.modules)))
"""
    given = {"_ATRIUM_COMPLETE": "complete_bash", "COMP_WORDS": "atrium ", "COMP_CWORD": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **given},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.splitlines() == [*COMMANDS, "[]"]
