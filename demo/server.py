"""Run `atrium serve` and other commands on the demo's data."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import httpx
import msgspec

T = TypeVar("T")
ATRIUM = Path(sys.executable).with_name("atrium")
RESERVATIONS = list[socket.socket]()


class CommandFailed(Exception):
    """A command of Atrium failed; the text is its output."""


class Server:
    """An Atrium on loopback with its data in `folder`; its log goes to `server.log` there."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.url, self.log = folder, f"http://127.0.0.1:{port}", folder / "server.log"
        self._environment = {
            **os.environ,
            "ATRIUM_DATA_DIR": str(folder),
            "ATRIUM_PORT": str(port),
            "ATRIUM_RETRY_SCHEDULE": "3s,1m,5m,30m,2h",  # the first retry happens while people still look at the log
        }

    def run(self, *words: str) -> str:
        """Run `atrium WORDS` and return its output. Raises CommandFailed."""
        done = subprocess.run([ATRIUM, *words], env=self._environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise CommandFailed(f"atrium {words[0]}: {done.stderr.strip()}")
        return done.stdout

    def read(self, kind: type[T], *words: str) -> T:
        """Run a command that prints a JSON object, and return it. Raises CommandFailed."""
        return msgspec.json.decode(self.run(*words, "--json"), type=kind)

    @contextmanager
    def running(self) -> Iterator[subprocess.Popen[bytes]]:
        """Run the server while the context is open. Raises CommandFailed if it does not start."""
        with self.log.open("ab") as log:
            process = subprocess.Popen(
                [ATRIUM, "serve"], env=self._environment, stdout=log, stderr=log, start_new_session=True
            )
        try:
            self._wait_until_ready(process)
            yield process
        finally:
            process.terminate()
            process.wait(30)

    def _wait_until_ready(self, process: subprocess.Popen[bytes]) -> None:
        while process.poll() is None:
            try:
                httpx.get(f"{self.url}/docs/problems", timeout=2)
            except httpx.TransportError:
                time.sleep(0.1)
            else:
                return
        raise self.exit_error()

    def exit_error(self) -> CommandFailed:
        """Return an error with the reason in the server's log and the remedy."""
        last = self.log.read_text().rstrip().rpartition("\n")[2]
        return CommandFailed(
            f"atrium serve ended: {last}\nIts log is {self.log}. To begin again with a new demo, delete {self.folder}."
        )


def free_port(preferred: int) -> int:
    """Return `preferred`, or another port if it is taken. No other demo on this machine gets it while this one runs."""
    for port in (preferred, 0, 0, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
                number = int(probe.getsockname()[1])
                _reserve(number)
            except OSError:
                continue
            return number
    raise SystemExit("no port is free")


def _reserve(port: int) -> None:
    """Reserve a port until this process ends. Raise OSError if another demo has it and is about to listen there.

    Without this, two demos that start together can choose one port, and one of them then uses the other's server.
    """
    reservation = socket.socket(socket.AF_UNIX)
    reservation.bind(f"\0atrium-demo-{port}")  # an abstract name, which the kernel frees
    RESERVATIONS.append(reservation)
