"""How many attempts at one endpoint are under way."""

import asyncio
from collections.abc import Callable
from uuid import uuid4

from hypothesis import given
from hypothesis import strategies as st

from atrium.webhooks.turns import Endpoint, Endpoints
from atrium.webhooks.windows import LEAST, MOST, START, Window

ANSWERS = st.one_of(st.floats(0.0001, 15), st.none())  # seconds; None for a failure


@given(st.lists(st.tuples(ANSWERS, st.booleans()), max_size=500))
def test_a_window_stays_within_its_bounds_and_shrinks_at_most_once_a_round(
    answers: list[tuple[float | None, bool]],
) -> None:
    window, since_shrunk, spared = Window(), MOST, 0
    for seconds, waiting in answers:
        before = window.size
        if seconds is None:
            window.failed()
        else:
            window.answered(seconds, waiting=waiting)
        assert LEAST <= window.size <= MOST
        assert window.size <= before or waiting, "it grows only while deliveries wait"
        assert window.size >= before / 2
        since_shrunk += 1
        if window.size < before:
            assert since_shrunk >= spared
            since_shrunk, spared = 0, int(before)
        if seconds is not None:
            assert window.size >= min(before, START), "slow answers alone never take it below the size of a new one"


def after(rounds: int, answer: Callable[[int, int], float | None]) -> float:
    """Return the size after rounds in which every place is used; `answer` has the seconds for each of that many."""
    window = Window()
    for _ in range(rounds):
        under_way = int(window.size)
        for nr in range(under_way):
            seconds = answer(nr, under_way)
            if seconds is None:
                window.failed()
            else:
                window.answered(seconds, waiting=True)
    return window.size


def test_a_window_grows_where_that_helps_and_only_there() -> None:
    assert after(3, lambda *_: 0.2) == MOST, "an endpoint far away, which answers any number in the same time"
    assert after(50, lambda nr, _: 0.01 * (nr + 1)) < 1.5 * START, "one that answers one after the other"
    assert 45 < after(50, lambda _, count: 0.05 if count <= 60 else 0.5) < 62, "one that slows with more than sixty"
    assert 30 < after(50, lambda nr, _: 0.05 if nr < 60 else None) < 62, "one that refuses more than sixty"
    assert after(20, lambda *_: None) == LEAST


def test_what_waits_for_a_place_gets_it_in_turn_and_is_released_by_a_failure() -> None:
    async def example() -> None:
        endpoint, began = Endpoint(), list[int]()

        async def deliver(nr: int) -> None:
            if await endpoint.turn():
                began.append(nr)

        tasks = [asyncio.create_task(deliver(nr)) for nr in range(40)]
        await asyncio.sleep(0)
        assert began == list(range(START))
        endpoint.ended(0.01, succeeded=True)
        await asyncio.sleep(0)
        assert began == list(range(START + 2)), "its place, and one more"
        endpoint.ended(0.01, succeeded=False)
        await asyncio.wait_for(asyncio.gather(*tasks), 10)
        assert began == list(range(START + 2)), "the others are given back"
        assert not endpoint.is_idle
        for _ in range(START):
            endpoint.ended(0.01, succeeded=True)
        assert endpoint.is_idle

    asyncio.run(example())


def test_a_window_grows_for_a_round_after_something_waited_however_slow_the_endpoint_is() -> None:
    async def example() -> None:
        endpoint = Endpoint()
        tasks = [asyncio.create_task(endpoint.turn()) for _ in range(2 * START)]
        await asyncio.sleep(0)
        endpoint.release()  # as after half a second
        for _ in range(START):
            endpoint.ended(3.0, succeeded=True)
        assert endpoint.window.size == 2 * START
        assert [await task for task in tasks] == [True] * START + [False] * START
        assert await endpoint.turn()
        endpoint.ended(3.0, succeeded=True)
        assert endpoint.window.size == 2 * START, "nothing waited in this round"

    asyncio.run(example())


def test_nothing_begins_once_a_worker_stops() -> None:
    async def example() -> None:
        endpoints, webhook_id = Endpoints(), uuid4()
        assert await endpoints.turn(webhook_id) is not None
        endpoints.close()
        assert await endpoints.turn(webhook_id) is None

    asyncio.run(example())
