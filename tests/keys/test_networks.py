"""Keys that may be used only from certain networks, directly and behind a trusted proxy."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from atrium.kit.settings import Settings
from tests.conftest import TLS, Api, fresh_database, new_organization, running_server
from tests.contract.tour import assert_problem

ALLOWED = ["203.0.113.0/24", "2001:db8:1::/48"]


@pytest.fixture(scope="module")
def proxied_api(settings: Settings) -> Iterator[Api]:
    """Run a server that trusts a proxy on loopback; the tests are the proxy."""
    with fresh_database(settings) as own, running_server(own.with_changes(trusted_proxies=("127.0.0.1",))) as running:
        made = new_organization(running.settings, running.url)
        yield made
        made.close()


def create_limited_key(api: Api, networks: list[str]) -> httpx.Client:
    made = api.person.post("/v1/me/integrations", json={"content": {"name": "x", "allowed_networks": networks}})
    assert made.status_code == 201, made.text
    return api.client(made.json()["key"])


@pytest.mark.contract("Scopes and networks 6")
@pytest.mark.parametrize(
    ("forwarded", "is_allowed"),
    [
        ("203.0.113.7", True),
        ("198.51.100.7", False),
        ("2001:db8:1::7", True),
        ("2001:db8:2::7", False),
        ("::ffff:203.0.113.7", True),
        ("::ffff:198.51.100.7", False),  # IPv4 addresses, as a dual-stack proxy names them
        ("203.0.113.7, 198.51.100.7", False),  # the client made up the first one; the proxy added the second
        ("198.51.100.7, 203.0.113.7", True),
        ("203.0.113.7, 127.0.0.1", True),  # through two proxies
        ("garbage", False),
        (None, False),
        ("203.0.113.7:4711", True),
        ("198.51.100.7:4711", False),
        ("[2001:db8:1::7]:4711", True),
    ],
)
def test_the_address_is_the_one_that_the_trusted_proxy_saw(
    proxied_api: Api, forwarded: str | None, is_allowed: bool
) -> None:
    client = create_limited_key(proxied_api, ALLOWED)
    headers = {} if forwarded is None else {"x-forwarded-for": forwarded}
    read, profile = (client.get(path, headers=headers) for path in (proxied_api.messages, "/v1/me/profile"))
    sent = client.post(proxied_api.messages, json={"text": "hi"}, headers=headers)
    if is_allowed:
        assert (read.status_code, profile.status_code, sent.status_code) == (200, 200, 201)
    else:
        for answer in (read, profile, sent):
            assert assert_problem(answer, 403)["code"] == "network_not_allowed"


@pytest.mark.contract("Scopes and networks 7")
@pytest.mark.parametrize("forwarded", ["unknown", "_hidden", "203.0.113.7, garbage"])
def test_an_address_that_the_proxy_does_not_tell_is_in_no_network(proxied_api: Api, forwarded: str) -> None:
    """Not even in that of the proxy."""
    client = create_limited_key(proxied_api, ["127.0.0.0/8", "203.0.113.0/24"])
    assert client.get("/v1/me/profile").status_code == 200
    headers = {"x-forwarded-for": forwarded}
    for answer in (
        client.get("/v1/me/profile", headers=headers),
        client.get(proxied_api.messages, headers=headers),
        client.post(proxied_api.messages, json={"text": "hi"}, headers=headers),
    ):
        assert assert_problem(answer, 403)["code"] == "network_not_allowed"


@pytest.mark.contract("Scopes and networks 6")
def test_a_header_that_comes_twice_is_one_list(proxied_api: Api) -> None:
    """Each proxy may add a line of its own: the last one names the proxy before it, and the client is in the first."""
    client = create_limited_key(proxied_api, ALLOWED)
    for first, status in (("203.0.113.7", 200), ("198.51.100.7", 403)):
        lines = [("x-forwarded-for", first), ("x-forwarded-for", "127.0.0.1")]
        headers = httpx.Headers([*lines, ("authorization", client.headers["authorization"])])
        assert httpx.get(f"{proxied_api.url}/v1/me/profile", headers=headers, verify=TLS).status_code == status


@pytest.mark.contract("Scopes and networks 6")
def test_requests_of_one_batch_are_each_decided_by_their_own_address(proxied_api: Api) -> None:
    """Reads and sends that arrive together run as one statement."""
    client = create_limited_key(proxied_api, ALLOWED)
    froms = ["203.0.113.1", "198.51.100.1"] * 20

    def ask(address: str) -> tuple[int, int]:
        headers = {"x-forwarded-for": address}
        sent = client.post(proxied_api.messages, json={"text": address}, headers=headers)
        return client.get(proxied_api.messages, headers=headers).status_code, sent.status_code

    with ThreadPoolExecutor(16) as hands:
        answers = list(hands.map(ask, froms))
    assert answers == [(200, 201), (403, 403)] * 20
    page = proxied_api.person.get(proxied_api.messages, params={"limit": 100}).json()["messages"]
    assert "198.51.100.1" not in {message["text"] for message in page}


@pytest.mark.contract("Scopes and networks 6")
def test_without_a_trusted_proxy_the_connection_decides(api: Api) -> None:
    forged = {"x-forwarded-for": "203.0.113.7"}
    assert_problem(create_limited_key(api, ALLOWED).get(api.messages, headers=forged), 403)
    assert create_limited_key(api, ["127.0.0.1/32"]).get(api.messages, headers=forged).status_code == 200


@pytest.mark.contract("Scopes and networks 8")
def test_a_rejected_request_names_its_address_in_the_audit_log(proxied_api: Api) -> None:
    client = create_limited_key(proxied_api, ALLOWED)
    refused = client.get("/v1/me/profile", headers={"x-forwarded-for": "198.51.100.9"})
    assert "198.51.100.9" in assert_problem(refused, 403)["detail"]
    log = proxied_api.person.get(f"{proxied_api.organization}/audit-log", params={"limit": 50}).json()["entries"]
    assert any(
        entry["request_id"] == refused.headers["x-request-id"] and entry["address"] == "198.51.100.9" for entry in log
    )
