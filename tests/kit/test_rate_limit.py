"""The rate limit of an actor: a burst, then a steady rate, in each HTTP process."""

import itertools
import os
import time
from collections.abc import Callable, Iterator
from hashlib import sha256

import httpx
import pytest
from hypothesis import given
from hypothesis import settings as runs
from hypothesis import strategies as st

from atrium.kit.settings import Settings
from atrium.server.rate_limit import BURST_SECONDS, RateLimit
from tests.conftest import Api, RunningServer, new_organization, running_server

KEY, OTHER = sha256(b"key").digest(), sha256(b"other").digest()


class Seconds:
    """A monotonic clock that the test moves."""

    def __init__(self, at: float = 5_000.0) -> None:
        self.at = at

    def __call__(self) -> float:
        return self.at


def spend_until_refused(limit: RateLimit, key: bytes = KEY) -> int:
    for count in range(limit.burst + 10):
        if not limit.take(key).allowed:
            return count
    raise AssertionError("nothing was refused")


@given(rate=st.integers(1, 1000), start=st.floats(0.1, 1e7))
@runs(max_examples=200, deadline=None)
def test_a_burst_is_exactly_five_seconds_of_requests(rate: int, start: float) -> None:
    limit = RateLimit(rate, Seconds(start))
    key = os.urandom(32)
    assert spend_until_refused(limit, key) == 5 * rate


def test_the_remaining_requests_are_reported_and_count_down() -> None:
    limit = RateLimit(3, Seconds())
    assert [limit.take(KEY).remaining for _ in range(15)] == list(range(14, -1, -1))
    refused = limit.take(KEY)
    assert (refused.allowed, refused.remaining, refused.reset) == (False, 0, 1)


@given(rate=st.integers(1, 50), steps=st.lists(st.floats(0.0, 3.0), min_size=1, max_size=60))
@runs(max_examples=100, deadline=None)
def test_no_period_allows_more_than_the_burst_and_the_rate(rate: int, steps: list[float]) -> None:
    seconds = Seconds(9_000.0)
    limit = RateLimit(rate, seconds)
    key, passed = os.urandom(32), 0
    for step in steps:
        seconds.at += step
        spent = [limit.take(key).allowed for _ in range(rate)]
        assert spent == sorted(spent, reverse=True), "once refused, refused until time has passed"
        passed += sum(spent)
        assert passed <= rate * (BURST_SECONDS + seconds.at - 9_000.0) + 0.02


def test_a_request_after_the_reported_wait_is_allowed() -> None:
    seconds = Seconds()
    limit = RateLimit(2, seconds)
    spend_until_refused(limit)
    seconds.at += limit.take(KEY).reset
    assert limit.take(KEY).allowed


def test_a_steady_caller_at_the_rate_is_never_limited() -> None:
    seconds = Seconds()
    limit = RateLimit(7, seconds)
    spend_until_refused(limit)
    for _ in range(1000):
        seconds.at += 1 / 7
        assert limit.take(KEY).allowed


@pytest.mark.contract("Conventions 13")
def test_each_bucket_has_its_own_requests() -> None:
    limit = RateLimit(5, Seconds())
    spend_until_refused(limit)
    assert not limit.take(KEY).allowed
    assert limit.take(OTHER).remaining == 24


def test_buckets_that_are_full_again_take_no_memory() -> None:
    seconds = Seconds()
    limit = RateLimit(5, seconds)
    for number in range(1000):
        limit.take(b"%d" % number)
    seconds.at += BURST_SECONDS
    limit.take(KEY)
    assert [*limit.full_at] == [KEY]


@pytest.fixture(scope="module")
def slow(settings: Settings) -> Iterator[RunningServer]:
    with running_server(settings.with_changes(rate_limit=1, workers=1)) as running:
        yield running


@pytest.fixture
def slow_api(slow: RunningServer) -> Iterator[Api]:
    api = new_organization(slow.settings, slow.url)
    yield api
    api.close()


def until_refused(ask: Callable[[], httpx.Response]) -> int:
    """Return the number of requests before the first rejected one."""
    for count in range(500):
        if ask().status_code == 429:
            return count
    raise AssertionError("nothing was refused")


@pytest.mark.contract("Conventions 20")
def test_keys_of_one_actor_share_a_bucket(slow_api: Api) -> None:
    own = "/v1/me/integrations"
    made = [slow_api.person.post(own, json={"content": {"name": "x"}}).json() for _ in range(2)]
    keys, began = [slow_api.client(each["key"]) for each in made], time.monotonic()
    passed = sum(key.get("/v1/me/profile").status_code == 200 for _ in range(12) for key in keys)
    assert passed <= BURST_SECONDS + (time.monotonic() - began) + 1, "a key more is not a bucket more"
    assert slow_api.integration.get(slow_api.messages).status_code == 200


@pytest.mark.contract("Conventions 20")
def test_use_of_a_revoked_key_is_not_counted_against_its_owner(slow_api: Api) -> None:
    made = slow_api.person.post("/v1/me/integrations", json={"content": {"name": "x"}}).json()
    stopped = slow_api.client(made["key"])
    assert stopped.get("/v1/me/profile").status_code == 200
    slow_api.person.delete(f"/v1/me/integrations/{made['api_key']['api_key_id']}")
    assert until_refused(lambda: stopped.get("/v1/me/profile")) >= BURST_SECONDS, "the owner has spent three of five"


@pytest.mark.contract("Conventions 20")
def test_extra_slashes_share_the_limit_of_the_incoming_webhook(slow_api: Api) -> None:
    hook = slow_api.person.post(f"/v2/rooms/{slow_api.room_id}/incoming-webhooks", json={"name": "x"}).json()["url"]
    token = hook.rpartition("/")[2]
    spellings = [
        f"{'/' * before}v2{'/' * within}incoming-webhooks/{token}{'/' * after}"
        for before, within, after in (
            (1, 1, 0),
            (1, 1, 1),
            (1, 1, 3),
            (2, 1, 0),
            (1, 2, 0),
            (3, 2, 2),
        )
    ]
    tool, turn = slow_api.client(None), itertools.cycle(spellings)
    went = until_refused(lambda: tool.post(slow_api.url + next(turn), json={"text": "m"}))
    assert BURST_SECONDS <= went < BURST_SECONDS * len(spellings)


@pytest.mark.contract("Conventions 13")
def test_a_key_over_its_limit_gets_a_retry_after(slow_api: Api) -> None:
    person = slow_api.person
    answers = [person.get("/v1/me/profile") for _ in range(20)]
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.json()["code"] == "rate_limited"
    assert refused.json()["request_id"] == refused.headers["x-request-id"]
    assert int(refused.headers["retry-after"]) >= 1
    assert refused.headers["ratelimit-policy"] == '"key";q=5;w=5'
    assert refused.headers["ratelimit"].startswith('"key";r=0;t=')
    assert [answer.status_code for answer in answers[:5]] == [200] * 5
    assert answers[0].headers["ratelimit"] == '"key";r=4;t=1'
    assert slow_api.integration.get(slow_api.messages).status_code == 200, "another key is not held back"
    sent = person.post(slow_api.messages, json={"text": "over"})
    assert sent.status_code in {201, 429}
