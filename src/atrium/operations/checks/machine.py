"""Checks of the machine: Python, limits, the data folder and the ports."""

import os
import platform
import resource
import shutil
import socket
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx

from atrium.kit.encryption import KEY_FILE
from atrium.kit.settings import Settings
from atrium.operations.checks import Finding, fail, ok, owner_advice, warn
from atrium.operations.traces import TracingNotInstalled, require_extra

OLDEST_PYTHON = (3, 11)
WARN_FILES, FAIL_FILES = 4096, 512  # every live stream and every delivery attempt is an open file
GIB = 1 << 30
WARN_DISK, FAIL_DISK = 5 * GIB, GIB // 2
RESPONSE_TIMEOUT = 3.0  # seconds


def check_machine(settings: Settings) -> Iterator[Finding]:
    """Yield the findings of all checks that need no database."""
    yield python()
    yield open_files(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    yield from data_folder(settings.data_dir)
    yield from _ports(settings)
    yield from _traces(settings)


def python() -> Finding:
    """Check the version of Python."""
    if sys.version_info < OLDEST_PYTHON:
        return fail("Python", platform.python_version(), "Install Python 3.11 or later.")
    return ok("Python", platform.python_version())


def open_files(limit: int) -> Finding:
    """Check how many files and connections a process can open."""
    advice = "Raise it: `ulimit -n 65536` in the shell that starts Atrium, LimitNOFILE=65536 in a systemd unit."
    if limit < 0 or limit >= WARN_FILES:
        return ok("open files", "no limit" if limit < 0 else f"{limit} for a process")
    finding = fail if limit < FAIL_FILES else warn
    return finding("open files", f"only {limit} for a process", advice)


def data_folder(folder: Path) -> Iterator[Finding]:
    """Check that the data folder exists, is writable and has free space, and that its key file is private."""
    if not folder.is_dir():
        advice = "Set ATRIUM_DATA_DIR or --data-dir to the right folder, or run atrium init."
        yield fail("data folder", f"{folder} does not exist", advice)
        return
    if not os.access(folder, os.W_OK | os.X_OK):
        advice = f"Change its owner to the user that runs Atrium: chown USER {folder}"
        yield fail("data folder", f"{folder} cannot be written to", advice)
        return
    yield ok("data folder", str(folder))
    yield from _key_file(folder / KEY_FILE)
    yield disk(shutil.disk_usage(folder).free)


def _key_file(file: Path) -> Iterator[Finding]:
    if not file.exists():
        return
    if not os.access(file, os.R_OK):
        yield fail("secret.key", f"{file} cannot be read", owner_advice(file))
    elif file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        yield warn("secret.key", "users other than its owner can read it", f"chmod 600 {file}")
    elif not file.read_text().strip():
        yield fail("secret.key", "it is empty", "Restore it from a backup: no other key decrypts the secrets.")


def disk(free: int) -> Finding:
    """Check the free space on the disk, in bytes."""
    summary = f"{free / GIB:.1f} GiB free"
    if free >= WARN_DISK:
        return ok("disk", summary)
    finding = fail if free < FAIL_DISK else warn
    return finding("disk", f"only {summary}", "Free some space: without it, the database accepts no messages.")


def _ports(settings: Settings) -> Iterator[Finding]:
    yield port(settings.host, settings.port)
    if settings.metrics_port is not None:
        yield metrics_port(settings.metrics_host, settings.metrics_port)


def port(host: str, number: int) -> Finding:
    """Check that the port of the API is free or used by an Atrium server."""
    at = f"{host}:{number}"
    problem = cannot_listen(host, number)
    if problem is None:
        return ok("port", f"{at} is free; no server runs here")
    try:
        response = httpx.get(f"http://{_reached(host)}:{number}/readyz", timeout=RESPONSE_TIMEOUT, trust_env=False)
    except httpx.HTTPError:
        response = None
    if response is None or "x-request-id" not in response.headers:
        return fail(
            "port",
            f"{at}: {problem}, and no Atrium server uses it",
            "Stop that program, or set a different ATRIUM_PORT.",
        )
    if response.status_code == httpx.codes.OK:
        return ok("port", f"an Atrium server is running at {at} and is ready")
    detail = response.json().get("detail", "") if "json" in response.headers.get("content-type", "") else ""
    return fail("port", f"an Atrium server is running at {at} but is not ready: {detail}", "See its log.")


def metrics_port(host: str, number: int) -> Finding:
    """Check that the port of the metrics is free or used by an Atrium server."""
    at = f"{host}:{number}"
    if cannot_listen(host, number) is None:
        return ok("metrics port", f"{at} is free; no server runs here")
    try:
        response = httpx.get(f"http://{_reached(host)}:{number}/metrics", timeout=RESPONSE_TIMEOUT, trust_env=False)
    except httpx.HTTPError:
        response = None
    if response is not None and "atrium_build_info" in response.text:
        return ok("metrics port", f"an Atrium server is running at {at}")
    return fail(
        "metrics port",
        f"{at} is in use by another program",
        "Stop that program, or set a different ATRIUM_METRICS_PORT.",
    )


def cannot_listen(host: str, number: int) -> str | None:
    """Return why a server cannot listen on an address now, None if it can."""
    try:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, number))
    except OSError as error:
        return str(error.strerror or error)
    return None


def _reached(host: str) -> str:
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared, not listened on
    return f"[{here}]" if ":" in here else here


def _traces(settings: Settings) -> Iterator[Finding]:
    if settings.otlp_endpoint is None:
        return
    try:
        require_extra(settings)
    except TracingNotInstalled as error:
        yield fail("traces", str(error), "Install the extra, or unset ATRIUM_OTLP_ENDPOINT.")
    else:
        yield ok("traces", "the extra is installed")
