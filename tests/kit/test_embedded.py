"""PostgreSQL in the data folder comes up again after whatever was left behind."""

import os
from pathlib import Path

import psutil
import psycopg
import pytest

from atrium.kit.embedded import embedded_postgres
from tests.conftest import scratch_folder


def _kill(folder: Path) -> None:
    postmaster = psutil.Process(int((folder / "postgres" / "postmaster.pid").read_text().split()[0]))
    for each in (postmaster, *postmaster.children(recursive=True)):
        each.kill()


@pytest.mark.parametrize("left", ["its own id", "the id of another process", "half a file", "an empty file"])
def test_a_killed_server_is_started_again_whatever_its_pid_file_says(left: str) -> None:
    """The id in the file may be another process's by now: in a container the numbers are small and come again."""
    with scratch_folder() as folder, embedded_postgres(folder) as url:
        with psycopg.connect(url) as db:
            db.execute("create table kept as select 1 as one")
        _kill(folder)
        file = folder / "postgres" / "postmaster.pid"
        lines = file.read_text().splitlines(keepends=True)
        if left == "the id of another process":
            file.write_text("".join([f"{os.getpid()}\n", *lines[1:]]))
        elif left != "its own id":
            file.write_text("".join(lines[:3]) if left == "half a file" else "")
        with embedded_postgres(folder) as again, psycopg.connect(again) as db:
            assert db.execute("select one from kept").fetchone() == (1,)


def test_the_last_who_leaves_stops_the_server() -> None:
    with scratch_folder() as folder:
        file = folder / "postgres" / "postmaster.pid"
        with embedded_postgres(folder) as first:
            with embedded_postgres(folder) as second:
                assert first == second
            assert psycopg.connect(first).execute("select 1").fetchone() == (1,)
        assert not file.exists()
