"""Thumbnails are made in fair turns: many images of one owner do not delay those of others."""

import asyncio

import pytest

from atrium.kit.process.fair_semaphore import FairSemaphore


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


class Line:
    """Workers that take turns; each runs until it is released."""

    def __init__(self, places: int, per_owner: int = 1) -> None:
        self.turns = FairSemaphore(places, per_owner)
        self.came, self.release = list[str](), dict[str, asyncio.Event]()

    async def work(self, name: str) -> None:
        self.release[name] = asyncio.Event()
        async with self.turns.place(name[0]):
            self.came.append(name)
            await self.release[name].wait()

    def begin(self, *names: str) -> list["asyncio.Task[None]"]:
        return [asyncio.create_task(self.work(name)) for name in names]


@pytest.mark.contract("Conventions 8")
def test_another_owners_work_starts_while_one_owner_has_a_hundred_waiting() -> None:
    async def act() -> None:
        line = Line(2)
        tasks = line.begin(*(f"a{nr}" for nr in range(100)))
        await settle()
        tasks += line.begin("b0")
        await settle()
        assert line.came == ["a0", "b0"]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.wait_for(line.turns.place("c").__aenter__(), 30)

    asyncio.run(act())


@pytest.mark.contract("Conventions 8")
@pytest.mark.parametrize("places", [1, 2])
def test_owners_take_turns_and_each_task_runs_once(places: int) -> None:
    async def act() -> None:
        line = Line(places)
        tasks = line.begin("a0", "a1", "a2", "b0", "c0")
        for done in range(5):
            await settle()
            line.release[line.came[done]].set()
        await asyncio.gather(*tasks)
        assert line.came == ["a0", "b0", "c0", "a1", "a2"]

    asyncio.run(act())


@pytest.mark.contract("Conventions 8")
def test_an_owner_may_have_several_slots_but_not_all() -> None:
    async def act() -> None:
        line = Line(3, per_owner=2)
        tasks = line.begin("a0", "a1", "a2", "a3")
        await settle()
        assert line.came == ["a0", "a1"]
        tasks += line.begin("b0", "b1")
        await settle()
        assert line.came == ["a0", "a1", "b0"]
        line.release["a0"].set()
        await settle()
        assert line.came == ["a0", "a1", "b0", "b1"], "whose turn it is"
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(act())


def test_a_cancelled_task_frees_its_slot() -> None:
    async def act() -> None:
        line = Line(1)
        working, waiting, last = line.begin("a0", "b0", "c0")
        await settle()
        waiting.cancel()
        working.cancel()
        await settle()
        assert line.came == ["a0", "c0"]
        line.release["c0"].set()
        await last

    asyncio.run(act())
