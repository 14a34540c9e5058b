"""Limits of a key: they can be narrowed and never widened, and a key creates none with wider ones."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_network
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atrium.keys.limits import covers
from tests.conftest import Api
from tests.contract.tour import assert_problem
from tests.keys.limits import BOTH, HOME, OFFICE, OWN, Json, integration_key, own_key, place
from tests.live.client import listen

Make = Callable[..., Json]
both_kinds = pytest.mark.parametrize("make", [own_key, integration_key])


@pytest.mark.contract("Scopes and networks 11")
@both_kinds
def test_a_key_shows_its_limits_each_once_and_in_the_usual_notation(api: Api, make: Make) -> None:
    scopes, networks = ["search", "messages:read", "search"], ["127.0.0.1", "2001:DB8:0::/32", "127.0.0.1/32"]
    shown = make(api, scopes=scopes, allowed_networks=networks)["api_key"]
    assert shown["scopes"] == ["messages:read", "search"]
    assert shown["allowed_networks"] == ["127.0.0.1/32", "2001:db8::/32"]
    unlimited = make(api)["api_key"]
    assert (unlimited["scopes"], unlimited["allowed_networks"]) == (None, None)


@pytest.mark.contract("Scopes and networks 11")
@both_kinds
@pytest.mark.parametrize(
    ("limits", "at"),
    [
        ({"scopes": []}, "/content/scopes"),
        ({"scopes": ["messages:all"]}, "/content/scopes/0"),
        ({"allowed_networks": []}, "/content/allowed_networks"),
        ({"allowed_networks": HOME * 51}, "/content/allowed_networks"),
        ({"allowed_networks": ["127.0.0.0/8", "localhost"]}, "/content/allowed_networks/1"),
        ({"allowed_networks": ["127.0.0.1/8"]}, "/content/allowed_networks/0"),
        ({"allowed_networks": ["fe80::%eth0/64"]}, "/content/allowed_networks/0"),
    ],
)
def test_invalid_limits_are_rejected_and_named(api: Api, make: Make, limits: Json, at: str) -> None:
    path, fields = (OWN, {}) if make is own_key else (f"{api.organization}/api-keys", {"spaces": []})
    refused = assert_problem(api.person.post(path, json={"content": {"name": "x", **fields, **limits}}), 400)
    assert [error["pointer"] for error in refused["errors"]] == [at]


@pytest.mark.contract("Scopes and networks 9")
@both_kinds
def test_scopes_and_networks_are_narrowed_and_not_widened(api: Api, make: Make) -> None:
    shown = make(api, scopes=["messages:read", "search"], allowed_networks=BOTH)
    at = place(api, shown)
    for wider in (
        {"scopes": None},
        {"scopes": ["messages:read", "search", "audit:read"]},
        {"scopes": ["messages:write"]},
        {"allowed_networks": None},
        {"allowed_networks": ["126.0.0.0/7"]},
        {"allowed_networks": ["::/0"]},
    ):
        [field] = wider
        refused = assert_problem(api.person.patch(at, json={"content": wider}), 400)
        assert [error["pointer"] for error in refused["errors"]] == [f"/content/{field}"]
    for narrower in ({"scopes": ["search"]}, {"allowed_networks": ["127.0.0.0/24"]}, {"expires_at": None}):
        changed = api.person.patch(at, json={"content": narrower})
        assert changed.status_code == 200, changed.text
    after = changed.json()["api_key"]
    assert (after["scopes"], after["allowed_networks"]) == (["search"], ["127.0.0.0/24"])
    unlimited = make(api)
    first = {"scopes": ["search"], "allowed_networks": OFFICE}
    assert api.person.patch(place(api, unlimited), json={"content": first}).status_code == 200
    assert_problem(api.client(unlimited["key"]).get(api.messages), 403)


@pytest.mark.contract("Scopes and networks 9")
@both_kinds
def test_a_key_is_narrowed_from_the_next_request_on(api: Api, make: Make) -> None:
    shown = make(api)
    client = api.client(shown["key"])
    assert client.get(api.messages).status_code == 200
    assert api.person.patch(place(api, shown), json={"content": {"scopes": ["messages:write"]}}).is_success
    assert assert_problem(client.get(api.messages), 403)["code"] == "insufficient_scope"
    assert client.post(api.messages, json={"text": "still"}).status_code == 201
    assert api.person.patch(place(api, shown), json={"content": {"allowed_networks": OFFICE}}).is_success
    assert assert_problem(client.post(api.messages, json={"text": "no"}), 403)["code"] == "network_not_allowed"


@pytest.mark.contract("Scopes and networks 9")
@both_kinds
@pytest.mark.parametrize("narrower", [{"scopes": ["messages:write"]}, {"allowed_networks": OFFICE}])
def test_a_stream_ends_when_its_key_is_narrowed(api: Api, make: Make, narrower: Json) -> None:
    shown = make(api)

    async def scenario() -> None:
        stream = await listen(api.url, shown["key"])
        assert api.person.patch(place(api, shown), json={"content": narrower}).is_success
        await stream.until_ended()

    asyncio.run(scenario())


@pytest.mark.contract("Scopes and networks 9")
def test_requests_that_narrow_a_key_at_the_same_time_both_count(api: Api) -> None:
    """Each reads the limits and writes them back: without a lock, one would restore what the other took away."""
    for make in (own_key, integration_key):
        keys = [make(api) for _ in range(10)]
        changes = [{"scopes": ["search"]}, {"allowed_networks": OFFICE}]
        todo = [(place(api, shown), {"content": change}) for shown in keys for change in changes]
        with ThreadPoolExecutor(8) as hands:
            answers = list(hands.map(lambda each: api.person.patch(each[0], json=each[1]), todo))
        assert {answer.status_code for answer in answers} == {200}
        path, name = (OWN, "integrations") if make is own_key else (f"{api.organization}/api-keys", "api_keys")
        listed = api.person.get(path, params={"limit": 200}).json()[name]
        ids = {shown["api_key"]["api_key_id"] for shown in keys}
        after = [(each["scopes"], each["allowed_networks"]) for each in listed if each["api_key_id"] in ids]
        assert after == [(["search"], OFFICE)] * len(keys)


@pytest.mark.contract("Scopes and networks 10")
def test_a_rotation_keeps_the_limits(api: Api) -> None:
    for make in (own_key, integration_key):
        shown = make(api, scopes=["search"], allowed_networks=BOTH)
        rotated = api.person.post(f"{place(api, shown)}/rotate").json()
        assert rotated["api_key"]["scopes"] == ["search"]
        assert rotated["api_key"]["allowed_networks"] == BOTH
        assert_problem(api.client(rotated["key"]).get(api.messages), 403)


@pytest.mark.contract("Scopes and networks 10")
def test_a_key_with_networks_creates_and_rotates_none_for_others(api: Api) -> None:
    person = api.client(own_key(api, allowed_networks=HOME)["key"])
    assert own_key(api, person)["api_key"]["allowed_networks"] == HOME
    assert own_key(api, person, allowed_networks=["127.0.0.1/32"])["api_key"]["allowed_networks"] == ["127.0.0.1/32"]
    wider = own_key(api)
    for networks in (OFFICE, BOTH, ["0.0.0.0/0"], ["::/0"]):
        made = person.post(OWN, json={"content": {"name": "x", "allowed_networks": networks}})
        assert_problem(made, 400)
    assert_problem(person.post(f"{place(api, wider)}/rotate"), 403)
    assert person.patch(place(api, wider), json={"content": {"allowed_networks": HOME}}).status_code == 200
    assert person.post(f"{place(api, wider)}/rotate").status_code == 200


@pytest.mark.contract("Scopes and networks 10")
def test_an_integrations_key_with_networks_creates_and_rotates_none_for_others(api: Api) -> None:
    admin = api.client(integration_key(api, organization_role="admin", allowed_networks=HOME)["key"])
    content = {"name": "x", "spaces": [], "organization_role": "guest"}
    made = admin.post(f"{api.organization}/api-keys", json={"content": content}).json()
    assert made["api_key"]["allowed_networks"] == HOME
    wide = {**content, "allowed_networks": BOTH}
    assert_problem(admin.post(f"{api.organization}/api-keys", json={"content": wide}), 400)
    other = api.new_integration(role="guest")
    assert_problem(admin.post(f"{place(api, other)}/rotate"), 403)
    further = f"{api.organization}/integrations/{other['api_key']['integration_id']}/api-keys"
    assert_problem(admin.post(further, json={"content": {"key_name": "x", "allowed_networks": OFFICE}}), 400)
    assert admin.post(further, json={"content": {"key_name": "x"}}).json()["api_key"]["allowed_networks"] == HOME


def _network(number: int, free: int, is_v6: bool) -> str:
    start = number >> free << free
    return f"2001:db8::{start:x}/{128 - free}" if is_v6 else f"192.0.2.{start}/{32 - free}"


SOME = st.lists(st.builds(_network, st.integers(0, 40), st.integers(0, 5), st.booleans()), min_size=1, max_size=3)


@pytest.mark.contract("Scopes and networks 10")
@given(st.none() | SOME, st.none() | SOME)
def test_networks_cover_others_exactly_if_they_include_all_addresses_of_each(
    outer: list[str] | None, inner: list[str] | None
) -> None:
    if outer is None or inner is None:
        assert covers(outer, inner) is (outer is None)
    else:
        inside = [any(set(ip_network(one)) <= set(ip_network(other)) for other in outer) for one in inner]
        assert covers(outer, inner) is all(inside)


@pytest.mark.contract("Scopes and networks 5")
def test_outside_of_its_scopes_a_key_is_rejected_alike_for_every_room(api: Api) -> None:
    """So the 403 says nothing about a room, and a key that may read gets 404 for each that it cannot access."""
    private = api.new_room(api.new_space("private"))["room_id"]
    owner = api.client(api.new_person()[1])
    for scopes, expected in ((["search"], 403), (["messages:read"], 404)):
        made = owner.post("/v1/me/integrations", json={"content": {"name": "narrow", "scopes": scopes}})
        client = api.client(made.json()["key"])
        answers = [client.get(f"/v2/rooms/{room}/messages") for room in (private, str(uuid4()))]
        problems = [assert_problem(answer, expected) for answer in answers]
        assert len({str({**problem, "request_id": ""}) for problem in problems}) == 1
