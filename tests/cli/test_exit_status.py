"""The exit statuses of commands, documented in docs/commands.md and `atrium --help`."""

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from atrium.cli.main import app
from tests.cli.terminal import environment, run_with_pipes
from tests.conftest import ATRIUM
from tests.house.commands import COMMANDS, FOUND

STATUSES = {"0", "1", "2", "130"}


def test_success_exits_with_0() -> None:
    result = run_with_pipes("--version")
    assert (result.status, result.error) == (0, "")
    assert re.fullmatch(r"Atrium \d+\.\d+\.\d+\n", result.out)


@pytest.mark.contract("Operations 20")
def test_an_error_exits_with_1_and_prints_one_line(tmp_path: Path) -> None:
    result = run_with_pipes("backup", str(tmp_path / "file"), "--data-dir", str(tmp_path), ATRIUM_DATABASE_URL="")
    assert (result.status, result.out, len(result.error.splitlines())) == (1, "", 1)
    assert result.error.startswith("atrium: ")


@pytest.mark.contract("Operations 20")
@pytest.mark.parametrize("words", FOUND)
def test_invalid_usage_exits_with_2_and_points_to_the_help(words: str) -> None:
    done = CliRunner().invoke(app, [*words.split()[1:], "--no-such-option"], prog_name="atrium")
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"Try '{words} --help' for help." in done.stderr


def test_a_group_without_a_command_exits_with_2_and_prints_its_help_to_stderr() -> None:
    done = CliRunner().invoke(app, ["keys"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "Commands:" in done.stderr


@pytest.mark.contract("Operations 20")
@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_command_exits_with_130_and_prints_nothing(way: signal.Signals, tmp_path: Path) -> None:
    """A restore reads from a pipe and has read its start, so it is running."""
    defaults = ["env", f"--default-signal={way.name.removeprefix('SIG')}"]  # the tests may run with the signal ignored
    process = subprocess.Popen(
        [*defaults, ATRIUM, "restore", "-", "--data-dir", tmp_path],
        env=environment({}),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin
    process.stdin.write(b"x" * (1 << 20))
    process.send_signal(way)
    out, error = process.communicate(timeout=60)
    assert (process.returncode, out, error) == (130, b"", b"")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.contract("Operations 20")
@pytest.mark.parametrize("option", ["--help", "--version"])
def test_a_closed_pipe_exits_with_1_and_prints_nothing(option: str) -> None:
    """Also if the output is small enough to be buffered until the end."""
    reading, writing = os.pipe()
    os.close(reading)
    env = environment({"PYTHONUNBUFFERED": ""})
    done = subprocess.run([ATRIUM, option], stdout=writing, stderr=subprocess.PIPE, env=env, check=False, timeout=60)
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


def test_the_exit_statuses_are_documented() -> None:
    rows = re.findall(r"^\| `(\d+)` \|", COMMANDS.read_text(), re.M)
    assert set(rows) == STATUSES
    documented = CliRunner().invoke(app, ["--help"]).stdout.partition("Exit status: ")[2]
    assert set(re.findall(r"\b\d+\b", documented)) == STATUSES
