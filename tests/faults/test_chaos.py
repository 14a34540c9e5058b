"""Parts of the server are killed at random under load, and every acknowledged message is checked against the promises.

This is a short run. `make chaos ROUNDS=200` is a long one; the same `SEED=` repeats it.
"""

import asyncio

import pytest

from atrium.kit.settings import Settings
from tests.faults.chaos.run import run

SEED = 15
KINDS = ("all http processes", "recovery", "worker", "backend", "everything")


@pytest.mark.contract("Crashes and restarts 2")
@pytest.mark.timeout(900)
def test_after_random_kills_every_acknowledged_message_is_stored_streamed_and_delivered(own_folder: Settings) -> None:
    lines: list[str] = []
    record = asyncio.run(run(own_folder, KINDS, SEED, lines.append))
    assert not record.violations, "\n".join(lines)
    assert not record.stream_violations, "\n".join(lines)
    assert set(record.kills) == set(KINDS)
    assert record.walks
