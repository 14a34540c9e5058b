"""How many attempts at one endpoint are under way."""

import asyncio
from collections.abc import Callable
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atrium.webhooks.delivery.turns import LEAST, MOST, START, Congestion, Endpoint, Endpoints


@pytest.mark.contract("Events and deliveries 26")
@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=500))
def test_the_limit_of_an_endpoint_stays_within_its_bounds(attempts: list[tuple[bool, bool]]) -> None:
    congestion = Congestion()
    for succeeded, waiting in attempts:
        before = congestion.limit
        if succeeded:
            congestion.answered(waiting=waiting)
            assert congestion.limit == before or waiting, "it grows only while deliveries wait"
        else:
            congestion.failed()
        assert LEAST <= congestion.limit <= MOST
        assert before - 1 < congestion.limit <= before + succeeded


def after(rounds: int, accepts: Callable[[int], bool]) -> float:
    """Return the limit after rounds in which every place is used; the endpoint `accepts` the first of them."""
    congestion = Congestion()
    for _ in range(rounds):
        for nr in range(int(congestion.limit)):
            if accepts(nr):
                congestion.answered(waiting=True)
            else:
                congestion.failed()
    return congestion.limit


@pytest.mark.contract("Events and deliveries 26")
def test_the_limit_of_an_endpoint_grows_to_what_it_accepts() -> None:
    assert after(3, lambda _: True) == MOST
    assert 55 < after(100, lambda nr: nr < 60) < 65, "one that refuses more than sixty"
    assert after(1, lambda _: False) == START / 2
    assert after(20, lambda _: False) == LEAST


@pytest.mark.contract("Events and deliveries 26")
def test_what_waits_for_a_place_gets_it_in_turn_and_is_released_by_a_failure() -> None:
    async def example() -> None:
        endpoint, began = Endpoint(), list[int]()

        async def deliver(nr: int) -> None:
            if await endpoint.turn():
                began.append(nr)

        tasks = [asyncio.create_task(deliver(nr)) for nr in range(40)]
        await asyncio.sleep(0)
        assert began == list(range(START))
        endpoint.ended(succeeded=True)
        await asyncio.sleep(0)
        assert began == list(range(START + 2)), "its place, and one more"
        endpoint.ended(succeeded=False)
        await asyncio.wait_for(asyncio.gather(*tasks), 10)
        assert began == list(range(START + 2)), "the others are given back"
        assert not endpoint.is_idle
        for _ in range(START):
            endpoint.ended(succeeded=True)
        assert endpoint.is_idle

    asyncio.run(example())


def test_the_limit_grows_for_a_round_after_something_waited() -> None:
    async def example() -> None:
        endpoint = Endpoint()
        tasks = [asyncio.create_task(endpoint.turn()) for _ in range(2 * START)]
        await asyncio.sleep(0)
        endpoint.release()  # as after half a second
        for _ in range(START):
            endpoint.ended(succeeded=True)
        assert endpoint.congestion.limit == 2 * START
        assert [await task for task in tasks] == [True] * START + [False] * START
        assert await endpoint.turn()
        endpoint.ended(succeeded=True)
        assert endpoint.congestion.limit == 2 * START, "nothing waited in this round"

    asyncio.run(example())


def test_nothing_begins_once_a_worker_stops() -> None:
    async def example() -> None:
        endpoints, webhook_id = Endpoints(), uuid4()
        assert await endpoints.turn(webhook_id) is not None
        endpoints.close()
        assert await endpoints.turn(webhook_id) is None

    asyncio.run(example())
