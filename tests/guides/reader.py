"""A reader who follows a guide exactly: a shell that keeps its variables, more terminals, files, a server."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import yaml

from tests.conftest import free_port
from tests.guides.blocks import PARSED, Block
from tests.house.sources import ROOT

# The ports in the guides; each is replaced by a free one, because they may be in use on this machine.
PORTS = ("8700", "8701", "8702", "8703", "8704", "8705", "8706", "8707", "9093", "9464")
LIMIT = 90.0  # seconds
# Every failing command in a block is reported. `make` only prints its commands, because one of its targets runs this test.
FIRST_WORDS = """
set -o pipefail
trap 'failed=$?; echo "line $LINENO: $BASH_COMMAND" >&2' ERR
"""
MAKE = f'#!/bin/sh\nexec {shutil.which("make")} -C "{ROOT}" --dry-run "$@"\n'
# curl reports whether a request failed, as a reader would see in its output.
CURLRC = 'write-out = "%{stderr}<answered %{http_code}>"\n'
INTERPRETERS = {"python": "python", "javascript": "node"}
SUFFIXES = {"python": ".py", "javascript": ".mjs"}


class Reader:
    """A reader in their own folder, `home`; `close` ends what they started."""

    def __init__(self, home: Path) -> None:
        self.home, self.number = home, 0
        self.ports = {port: str(free_port()) for port in PORTS}
        self.missing: set[str] = set()
        self.printed = ""  # of the last command
        self._terminals: list[subprocess.Popen[bytes]] = []
        self._prepare()
        self._shell = subprocess.Popen(
            ["bash", "--norc", "--noprofile"],
            cwd=home,
            env=self._environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._type(FIRST_WORDS)

    def _prepare(self) -> None:
        (self.home / ".venv").symlink_to(sys.prefix)
        (self.home / "dist").symlink_to(ROOT / "dist")
        (self.home / ".curlrc").write_text(CURLRC)
        (self.home / "bin").mkdir()
        (self.home / "bin" / "make").write_text(MAKE)
        (self.home / "bin" / "make").chmod(0o755)

    def _environment(self) -> dict[str, str]:
        outer = {name: value for name, value in os.environ.items() if not name.startswith(("ATRIUM_", "PYTEST"))}
        path = (self.home / "bin", self.home / ".venv" / "bin", os.environ["PATH"])
        return {
            **outer,
            "HOME": str(self.home),
            "PATH": ":".join(map(str, path)),
            "ATRIUM_DATA_DIR": str(self.home / "data"),
            "ATRIUM_PORT": self.ports["8700"],
            "COLUMNS": "200",
            "GOCACHE": str(Path.home() / ".cache" / "go-build"),  # where `_compile` leaves Go's standard library
        }

    def follow(self, blocks: Sequence[Block]) -> None:
        """Do what the blocks show, in order. Raise AssertionError for one that does not work as written."""
        for block in blocks:
            needed = block.options.get("needs") or ("node" if block.language == "javascript" else None)
            if needed and shutil.which(needed, path=self._environment()["PATH"]) is None:
                self.missing.add(needed)
            else:
                self._do(block)

    def _do(self, block: Block) -> None:
        content = re.sub(rf"\b({'|'.join(PORTS)})\b", lambda port: self.ports[port[1]], block.content)
        if block.language in PARSED:
            assert _parse(block.language, content) is not None, block.where
        if "file" in block.options:
            (self.home / block.options["file"]).write_text(content)
            if block.language == "go":
                self._compile(block.options["file"])
        elif "background" in block.options:
            self._leave_running(content, block)
        elif block.language not in PARSED:
            self._run(content, block)

    def _compile(self, file: str) -> None:
        """Compile a Go program, so that `go run` starts it within LIMIT. The first compilation on a machine includes
        Go's standard library and can take minutes."""
        if go := shutil.which("go", path=self._environment()["PATH"]):
            command = [go, "build", "-o", os.devnull, file]
            subprocess.run(command, cwd=self.home, env=self._environment(), check=True)

    def _run(self, content: str, block: Block) -> None:
        if block.language != "sh":
            self.number += 1
            name = f"block-{self.number}{SUFFIXES[block.language]}"
            (self.home / name).write_text(content)
            content = f"{INTERPRETERS[block.language]} {name}"
        deadline = time.monotonic() + (LIMIT if "eventually" in block.options else 0)
        while fault := self._fault(content, block):
            if time.monotonic() > deadline:
                raise AssertionError(f"{block.where}: {fault}")
            time.sleep(0.3)

    def _fault(self, content: str, block: Block) -> str | None:
        """Type the block; return the error."""
        status, printed, complaints = self.type(content)
        answers = re.findall(r"<answered (\d+)>", complaints)
        refused = [int(each) for each in answers if int(each) >= 400]
        if status:
            return f"{complaints}\n{printed}"
        if refused != ([int(block.options["refused"])] if "refused" in block.options else []):
            return f"refused: {refused}\n{printed}"
        if block.expected_output is not None and not output_matches(printed, block.expected_output):
            return f"it prints\n{printed}\nand not\n{block.expected_output}"
        return None

    def type(self, content: str) -> tuple[int, str, str]:
        """Type into the shell; return the status of a failed command (else 0), its output and its error output."""
        self.number += 1
        script, out, err, done = (self.home / f".{self.number}.{end}" for end in ("sh", "out", "err", "done"))
        script.write_text(content)
        self._type(f'failed=0; . ./{script.name} > {out.name} 2> {err.name}; echo "$failed" > {done.name}')
        deadline = time.monotonic() + LIMIT
        while not (done.exists() and done.read_text().endswith("\n")):
            assert self._shell.poll() is None, f"the shell ended: {err.read_text()}"
            assert time.monotonic() < deadline, f"not done in {LIMIT:.0f} s: {content}"
            time.sleep(0.02)
        self.printed = out.read_text()
        return int(done.read_text()), self.printed, err.read_text()

    def _type(self, line: str) -> None:
        assert self._shell.stdin
        self._shell.stdin.write(f"{line}\n".encode())
        self._shell.stdin.flush()

    def _leave_running(self, content: str, block: Block) -> None:
        """Run in a separate terminal, without the shell's variables."""
        self.number += 1
        output = self.home / f".{self.number}.terminal"
        with output.open("wb") as printed:
            terminal = subprocess.Popen(
                ["bash", "-c", f"set -e\n{content}"],
                cwd=self.home,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._terminals.append(terminal)
        deadline = time.monotonic() + LIMIT
        while not listens(self.ports[block.options["background"]]):
            assert terminal.poll() is None, f"{block.where}: it ended: {output.read_text()}"
            assert time.monotonic() < deadline, f"{block.where}: it is not up: {output.read_text()}"
            time.sleep(0.05)

    def close(self) -> None:
        """End what was started, the last first."""
        for terminal in reversed(self._terminals):
            with suppress(ProcessLookupError):
                os.killpg(terminal.pid, 15)
            try:
                terminal.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(terminal.pid, 9)
        self._shell.kill()
        self._shell.wait(10)


def listens(port: str) -> bool:
    """Return whether the port accepts connections."""
    try:
        with socket.create_connection(("127.0.0.1", int(port)), timeout=5):
            return True
    except OSError:
        return False


def output_matches(printed: str, written: str) -> bool:
    """Return whether the output is as written; `…` stands for any text in its line, or alone for any lines."""
    lines = (r"(.*\n)*?" if line.strip() == "…" else _line(line) for line in written.strip().splitlines())
    return (
        re.fullmatch("".join(lines), "".join(f"{line.rstrip()}\n" for line in printed.strip().splitlines())) is not None
    )


def _line(written: str) -> str:
    return ".*".join(map(re.escape, written.rstrip().split("…"))) + r"\n"


def _parse(language: str, content: str) -> Any:
    return json.loads(content) if language == "json" else yaml.safe_load(content)
