"""The keys that act under a key policy are those of a small model: for each rule, key and role, in both organizations of
a person, on the batched routes and the others, before and after the policy is enforced."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from ipaddress import ip_network
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import httpx
import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from atrium.keys.tokens import ORGANIZATION_PREFIX, PERSONAL_PREFIX, hash_of, mint
from atrium.kit.clock import rfc3339
from atrium.kit.http.request import SESSION_PREFIX
from tests.conftest import Api, FakeClock, in_process_client

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)  # when the first keys were made
FIRST = BEGAN + timedelta(days=1)  # when the first policy is set
DAY = timedelta(days=1)
HOME, WIDE = ("127.0.0.0/8", "2001:db8::/32"), ("127.0.0.0/8", "126.0.0.0/7")  # a limit for a policy, and none
WIDEST = {4: 8, 6: 16}
ADD_KEY = """
insert into api_keys (api_key_id, actor_id, name, key_hash, last_four, created_at, expires_at, allowed_networks, is_session)
values ($1, $2, 'k', $3, 'xxxx', $4, $5, $6::text[]::cidr[], $7)
"""
Reasons = frozenset[str]


class Put(NamedTuple):
    """A policy that is set some days after the one before it, and enforced some days later."""

    after: int
    grace: int
    days: int | None = None
    personal: str = "allowed"
    networks: bool = False

    def violated_by(self, key: "Key") -> Reasons:
        lives = None if key.ends is None else key.ends - key.made
        is_out = key.role is not None and (
            self.personal == "none" or (self.personal == "admins" and key.role in ("guest", "member"))
        )
        broken = {
            "lifetime": self.days is not None and (lives is None or lives > timedelta(days=self.days)),
            "people": is_out,
            "networks": self.networks and not key.has_networks(),
        }
        return frozenset(name for name, is_broken in broken.items() if is_broken)


@dataclass(frozen=True)
class Key:
    """A key; `role` is that of its person in the organization with the policy, None for an integration's key."""

    text: str
    role: str | None
    made: datetime
    ends: datetime | None
    networks: tuple[str, ...] | None

    def has_networks(self) -> bool:
        found = [ip_network(network) for network in self.networks or ()]
        return found != [] and all(network.prefixlen >= WIDEST[network.version] for network in found)


def acts(key: Key, puts: Sequence[Put], now: datetime) -> bool:
    """The model. Keys that were made since a policy was set must fit it immediately, the others when it is enforced; a
    key that was stopped then stays so unless the rule that stopped it becomes looser."""
    at = set_at = FIRST
    before, pending = Put(0, 0), (FIRST, frozenset[str]())
    stopped = frozenset[str]()
    for put in puts:
        at += put.after * DAY
        if at > now:
            break
        violated = put.violated_by(key)
        stopped = (pending[1] if pending[0] <= at else stopped) & violated
        set_at = set_at if put[2:] == before[2:] else at
        before, pending = put, (at + put.grace * DAY, violated)
    return not (pending[1] if pending[0] <= now or key.made >= set_at else stopped)


class World:
    """An organization with a policy, another without, and keys of each kind and role in the first."""

    def __init__(self, api: Api, other: Api) -> None:
        self.api, self.other = api, other
        self.root = api.send("root")["message_id"]
        self.session = self._add(UUID(api.person_id), SESSION_PREFIX, None, BEGAN, BEGAN + 900 * DAY, None, True).text
        self.people = {role: UUID(api.new_person(role)[0]) for role in ("guest", "member", "admin")}
        grant = {"content": {"role": "member"}}
        api.person.put(f"/v1/spaces/{api.space_id}/members/{self.people['guest']}", json=grant).raise_for_status()
        for person in self.people.values():
            other.sql(
                "insert into memberships (actor_id, organization_id, role, created_at) "
                "values ($1, $2, 'member', now())",
                person,
                UUID(other.organization_id),
            )
        grants = [{"space_id": api.space_id, "role": "member"}]
        self.integration = UUID(api.new_integration(grants)["api_key"]["integration_id"])
        self.keys = self.keys_made(BEGAN)

    def keys_made(self, at: datetime) -> list[Key]:
        owners: list[tuple[UUID, str, str | None]] = [
            (self.integration, ORGANIZATION_PREFIX, None),
            *((person, PERSONAL_PREFIX, role) for role, person in self.people.items()),
        ]
        return [
            self._add(owner, prefix, role, at, None if days is None else at + timedelta(days=days), networks)
            for owner, prefix, role in owners
            for days, networks in ((None, None), (300, HOME), (400, WIDE))
        ]

    def _add(
        self,
        owner: UUID,
        prefix: str,
        role: str | None,
        at: datetime,
        ends: datetime | None,
        networks: tuple[str, ...] | None,
        is_session: bool = False,
    ) -> Key:
        text = mint(prefix)
        self.api.sql(ADD_KEY, uuid4(), owner, hash_of(text), at, ends, networks, is_session)
        return Key(text, role, at, ends, networks)

    def requests(self, client: httpx.AsyncClient, text: str) -> list[Callable[[], Awaitable[httpx.Response]]]:
        """Return a request of each kind in the organization."""
        room, own = f"/v2/rooms/{self.api.room_id}", {"authorization": f"Bearer {text}"}
        return [
            partial(client.post, f"{room}/messages", json={"text": "x"}, headers=own),
            partial(client.get, f"{room}/messages", headers=own),
            partial(client.get, f"{room}/messages", params={"top_level": "true"}, headers=own),
            partial(client.get, f"{room}/threads/{self.root}/messages", headers=own),
            partial(client.get, room, headers=own),
            partial(client.get, self.api.organization, headers=own),
            partial(client.post, f"{room}/typing", headers=own),
        ]


def moments(puts: Sequence[Put]) -> list[tuple[datetime, Put | None]]:
    """Return each time at which a policy is set, and those just before and when it is enforced, in order."""
    at, found = FIRST, list[tuple[datetime, Put | None]]()
    for put in puts:
        at += put.after * DAY
        found.append((at, put))
        enforced = at + put.grace * DAY
        found += [(enforced - timedelta(milliseconds=1), None)] * (put.grace > 0) + [(enforced, None)]
    return sorted(found, key=lambda each: (each[0], each[1] is None))


async def check(world: World, puts: Sequence[Put], *, all_requests: bool = False) -> None:
    """Compare the server with the model at each moment, for each key with all kinds of requests or with one in turn."""
    clock, turn = FakeClock(FIRST), 0
    async with in_process_client(world.api.settings, clock) as client:
        policy, session = f"{world.api.organization}/key-policy", {"authorization": f"Bearer {world.session}"}
        (await client.put(policy, json={"content": {}}, headers=session)).raise_for_status()
        keys, late = world.keys, world.keys_made(FIRST + (puts[0].after + 1) * DAY)
        for at, put in moments(puts):
            clock.at = at
            if put is not None:
                rules = {"max_lifetime_days": put.days, "personal_keys": put.personal, "require_networks": put.networks}
                content = {**rules, "enforce_at": rfc3339(at + put.grace * DAY)}
                (await client.put(policy, json={"content": content}, headers=session)).raise_for_status()
            for key in [*keys, *(each for each in late if each.made <= at)]:
                turn += 1
                requests, expected = world.requests(client, key.text), acts(key, puts, at)
                for request in requests if all_requests else [requests[turn % len(requests)]]:
                    answer = await request()
                    assert answer.is_success is expected, (at, key, answer.request.url, answer.text)
                    assert expected or answer.json()["code"] == "key_policy"
                if key.role is not None:
                    elsewhere = {"authorization": f"Bearer {key.text}"}
                    assert (await client.get(world.other.organization, headers=elsewhere)).status_code == 200
            assert (await client.get(world.api.messages, headers=session)).status_code == 200


@pytest.fixture
def world(api: Api, outsider: Api) -> World:
    return World(api, outsider)


PUTS = st.builds(
    Put,
    st.integers(1, 20),
    st.sampled_from([0, 5, 30]),
    st.sampled_from([None, 350, 200]),
    st.sampled_from(["allowed", "admins", "none"]),
    st.booleans(),
)


@pytest.mark.contract(
    "Scopes and networks 19", "Scopes and networks 20", "Scopes and networks 21", "Scopes and networks 22"
)
@hypothesis_settings(
    max_examples=5, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(st.lists(PUTS, min_size=1, max_size=3))
@example([Put(1, 30, networks=True), Put(10, 30, personal="none")])
@example([Put(1, 30, days=350), Put(10, 30, days=200), Put(2, 30, days=200, networks=True)])
@example([Put(1, 0, personal="none", networks=True), Put(10, 30, days=200, personal="none", networks=True)])
@example([Put(1, 0, days=350), Put(10, 30, days=200, networks=True), Put(2, 30, personal="admins")])
def test_what_acts_is_what_the_model_says(world: World, puts: list[Put]) -> None:
    asyncio.run(check(world, puts))


@pytest.mark.contract("Scopes and networks 21", "Scopes and networks 22")
def test_every_kind_of_request_asks_the_policy(world: World) -> None:
    asyncio.run(check(world, [Put(1, 5, personal="admins", days=350)], all_requests=True))


def test_the_model_stops_nothing_without_rules_and_all_that_does_not_fit_from_the_day_it_is_enforced() -> None:
    key: Any = Key("k", "member", BEGAN, None, None)
    assert acts(key, [Put(1, 0)], FIRST + 9 * DAY)
    for put in (Put(1, 5, days=350), Put(1, 5, personal="admins"), Put(1, 5, networks=True)):
        assert [acts(key, [put], FIRST + days * DAY) for days in (0, 1, 5, 6, 7)] == [True, True, True, False, False]
