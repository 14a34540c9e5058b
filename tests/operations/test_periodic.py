"""The worker runs the chores of the database, an HTTP process only its own."""

import asyncio

from atrium import worker
from atrium.kit.settings import Settings
from atrium.server.service import open_service


def test_an_http_process_runs_only_its_own_chores(settings: Settings) -> None:
    async def chores() -> list[str]:
        before = asyncio.all_tasks()
        async with open_service(settings):
            return sorted(str(task.get_coro()).split()[2] for task in asyncio.all_tasks() - before)

    # it follows live events, records key use, and counts its connections to the database
    assert asyncio.run(chores()) == ["Hub.run", "run_every", "run_every"]


def test_the_worker_cleans_up() -> None:
    assert "clean_up" in vars(worker)
