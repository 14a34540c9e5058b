"""Put load on a server with wrk, a script and a list of requests."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
CONNECTIONS = 64


class BenchError(Exception):
    """The benchmark cannot continue, or its figures would be wrong."""


class Request(NamedTuple):
    """One request: a GET without a body, or a POST of JSON on one line."""

    path: str
    key: str = ""
    body: str = ""

    @property
    def line(self) -> str:
        """Return the request as bench/requests.lua reads it."""
        return f"{'POST' if self.body else 'GET'}\t{self.path}\t{self.key}\t{self.body}\n"


@dataclass(frozen=True)
class Load:
    """Something to measure: a server, a script with its arguments, and the number of connections."""

    url: str
    script: str
    arguments: Sequence[str]
    connections: int = CONNECTIONS


@dataclass(frozen=True)
class Measured:
    """The figures of one round; latencies in milliseconds."""

    rps: float
    p50_ms: float
    p99_ms: float


def cyclic_load(url: str, file: Path, requests: Iterable[Request], *, connections: int = CONNECTIONS) -> Load:
    """Return a load that repeats `requests`, which are written to `file`."""
    file.write_text("".join(request.line for request in requests))
    return Load(url, "requests.lua", [str(file)], connections)


def require_wrk() -> None:
    """Install wrk if it is missing and this is root on Debian. Raise BenchError if it stays missing."""
    if shutil.which("wrk") is None and os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(["apt-get", "install", "-y", "-qq", "wrk"], timeout=300, check=False)
    if shutil.which("wrk") is None:
        raise BenchError("wrk is missing: `sudo apt-get install wrk` (Debian, Ubuntu) or `brew install wrk`")


def measure(load: Load, seconds: int) -> Measured:
    """Put a load on the server for `seconds`. Raise BenchError if a single answer is not a success."""
    command = [
        "wrk", "--latency", "-t1", f"-c{load.connections}", f"-d{seconds}s", "--timeout", "10s",
        "-s", str(HERE / load.script), load.url, "--", *load.arguments,
    ]  # fmt: skip
    ran = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 60, check=False)
    if ran.returncode or not (found := [line for line in ran.stdout.splitlines() if line.startswith("{")]):
        raise BenchError(f"wrk failed: {ran.stderr or ran.stdout}")
    result = json.loads(found[-1])
    if result["failed"] or not result["requests"]:
        raise BenchError(f"{result['failed']} of {result['requests']} answers failed: {ran.stdout}")
    return Measured(result["requests"] / result["seconds"], result["p50_ms"], result["p99_ms"])
