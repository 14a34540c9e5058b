"""An archive that is made to exhaust the machine ends its own import, with the reason."""

import json
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from atrium.imports.process import TOO_LARGE
from atrium.kit.settings import Settings
from tests.imports.export import one_day, slack_message, write_zip
from tests.imports.harness import importer, upload_async
from tests.imports.jobs import export, read, upload_and_start
from tests.webhooks.harness import Harness, with_harness

DAY = "general/2017-07-14.json"
MEMORY_OF_A_WORKER = 100 << 10  # KiB


@pytest.mark.contract("Messages and blocks 27")
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (
            lambda: b"[[" + b"[]," * 40_000_000 + b"[]]]",
            "is not valid JSON (an element is longer than 4 Mi characters)",
        ),
        (lambda: b'[{"ts": "1.0", "text": "' + b"x" * 100_000_000 + b'"}]', "is not valid JSON (an element is longer"),
        (lambda: b"[" + b" " * (256 << 20) + b"]", "is larger than 256 MiB uncompressed"),
    ],
    ids=["lists", "text", "spaces"],
)
def test_a_bomb_ends_its_import_and_takes_no_memory_of_the_worker(
    settings: Settings, tmp_path: Path, content: Callable[[], bytes], reason: str
) -> None:
    path = write_zip(tmp_path / "a.zip", {DAY: content()})
    assert path.stat().st_size < 500_000

    async def example(harness: Harness) -> None:
        url = await upload_async(harness, path)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        async with importer(harness) as worker:
            assert await worker.run_next()
        shown = await read(harness, url)
        assert shown["status"] == "failed"
        assert shown["reason"].startswith(f"{DAY}: {reason}")
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + MEMORY_OF_A_WORKER

    with_harness(settings, example)


def run_bounded(settings: Settings, path: Path, bounds: str) -> subprocess.CompletedProcess[bytes]:
    """Run the process that checks an export within other bounds."""
    job: dict[str, Any] = {
        "import_id": str(uuid4()),
        "organization_id": str(uuid4()),
        "space_id": str(uuid4()),
        "name": "a.zip",
        "size": 1,
        "status": "checking",
        "attempts": 1,
        "checked": None,
        "counters": None,
        "claim": str(uuid4()),
    }
    server = {"database_url": settings.database_url, "base_url": settings.base_url}
    task = {"server": server, "job": job, "path": str(path), "now": "2026-11-21T00:00:00Z"}
    code = f"from atrium.imports import process; {bounds}; process.main()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin and child.stdout
        child.stdin.write(json.dumps(task).encode() + b"\n")
        child.stdin.flush()
        output = child.stdout.read()
        return subprocess.CompletedProcess(child.args, child.wait(), output)


@pytest.mark.contract("Messages and blocks 27")
def test_memory_and_time_are_bounded(settings: Settings, tmp_path: Path) -> None:
    people = [{"id": f"U{nr}", "profile": {"real_name": f"{nr}"}} for nr in range(600_000)]
    path = one_day(tmp_path / "a.zip", [slack_message(1)], users=people)
    done = run_bounded(settings, path, "process.MAX_MEMORY = 256 << 20")
    assert json.loads(done.stdout.splitlines()[-1])["failure"] == TOO_LARGE
    assert run_bounded(settings, path, "process.MAX_CPU_SECONDS = 2").returncode == -signal.SIGXCPU


@pytest.mark.contract("Messages and blocks 27")
def test_an_unexpected_error_ends_the_import_with_its_name(settings: Settings, tmp_path: Path) -> None:
    path = export(tmp_path)

    async def example(harness: Harness) -> None:
        url = await upload_and_start(harness, path)
        await harness.db.execute(
            "create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;"
            "create trigger refuse before insert on messages for each row execute function refuse();"
        )
        async with importer(harness) as worker:
            assert await worker.run_next()
            shown = await read(harness, url)
            assert not await worker.run_next()
        assert shown["status"] == "failed"
        assert shown["reason"] == "A server error stopped the import; see the server's log (RaiseError)."

    with_harness(settings, example)
