"""Commands as people run them: on a terminal of some width, or in a pipe."""

import json
import os
import pty
import re
import subprocess
import sys
from typing import NamedTuple

from tests.conftest import ATRIUM

ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
BOXES = re.compile("[\u2500-\u259f]")  # box-drawing and block characters


class Output(NamedTuple):
    """The output of a command on standard output and standard error, and its exit status."""

    out: str
    error: str
    status: int


def environment(given: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")} | given


def run_with_pipes(*words: str, **given: str) -> Output:
    """Run with pipes; widths and colors in the environment make no difference there."""
    env = environment({"COLUMNS": "40", "FORCE_COLOR": "1", "GITHUB_ACTIONS": "true", **given})
    done = subprocess.run([ATRIUM, *words], env=env, capture_output=True, text=True, check=False, timeout=120)
    return Output(done.stdout, done.stderr, done.returncode)


DRIVER = """
import fcntl, json, struct, sys, termios
from atrium.cli.main import main
for columns, words in json.loads(sys.argv[1]):
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    sys.argv, status = ["atrium", *words], 0
    try:
        main()
    except SystemExit as end:
        status = end.code or 0
    print(f"\\x1e{status}", end="\\x1e", flush=True)
"""


def on_terminal(*runs: tuple[int, tuple[str, ...]], **given: str) -> list[Output]:
    """Run commands one after the other on a real terminal, which has one stream for both outputs.

    Each runs with its own number of columns, in one process, because starting a process takes a second or more.
    """
    ours, theirs = pty.openpty()
    env = environment({"TERM": "xterm-256color", **given})
    command = [sys.executable, "-c", DRIVER, json.dumps(runs)]
    process = subprocess.Popen(command, env=env, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    output = b""
    while piece := _read(ours):
        output += piece
    os.close(ours)
    process.wait(60)
    parts = output.decode().replace("\r\n", "\n").split("\x1e")
    return [Output(out, "", int(status)) for out, status in zip(parts[0:-1:2], parts[1::2], strict=True)]


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # Linux reports this when the other side is closed
        return b""


def plain(text: str) -> str:
    """Return the visible text."""
    return ANSI.sub("", text)
