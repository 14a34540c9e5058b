"""The client address of a request, with and without proxies."""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from atrium.kit.http.peer import client_address, client_network

TRUSTED = (ip_network("10.0.0.0/8"), ip_network("::1/128"))


@pytest.mark.contract("Scopes and networks 7", "Audit log 3")
@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("203.0.113.7", None, "203.0.113.7"),
        ("203.0.113.7", b"198.51.100.1", "203.0.113.7"),
        ("10.0.0.1", b"198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", b"1.2.3.4, 198.51.100.1, 10.9.9.9", "198.51.100.1"),
        ("10.0.0.1", b"10.0.0.5", "10.0.0.5"),
        ("::1", b"2001:db8::1", "2001:db8::1"),
        ("10.0.0.1", b"not an address", None),  # the proxy did not say; its own address is not that of the client
        ("10.0.0.1", b"unknown", None),
        ("10.0.0.1", b"198.51.100.1, _hidden", None),
        ("10.0.0.1", b"unknown, 10.9.9.9", None),
        ("10.0.0.1", b"unknown, 198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", b"198.51.100.1:4711", "198.51.100.1"),
        ("10.0.0.1", b"1.2.3.4:1, 198.51.100.1:4711, 10.9.9.9:80", "198.51.100.1"),
        ("10.0.0.1", b"[2001:db8::1]:4711", "2001:db8::1"),
        ("10.0.0.1", b'"[2001:DB8::1]"', "2001:db8::1"),
        ("10.0.0.1", b"fe80::1%eth0", "fe80::1"),
        ("10.0.0.1", b"[fe80::1%25eth0]:1", "fe80::1"),
        ("10.0.0.1", b"[::ffff:198.51.100.1]:4711", "198.51.100.1"),
        ("::ffff:10.0.0.1", b"198.51.100.1", "198.51.100.1"),  # the server listens on `::`
        ("10.0.0.1", b"198.51.100.1, ::ffff:10.9.9.9", "198.51.100.1"),
        ("10.0.0.1", b"198.51.100.1:", None),
        ("10.0.0.1", b"198.51.100.256:80", None),
        ("10.0.0.1", b"010.0.0.7", None),
        ("10.0.0.1", b"198.51.100.1 10.0.0.2", None),
        ("10.0.0.1", b"", "10.0.0.1"),
        ("10.0.0.1", b", ,", "10.0.0.1"),
        (None, b"198.51.100.1", None),
    ],
)
def test_only_a_trusted_proxy_sets_the_client_address(
    peer: str | None, forwarded: bytes | None, address: str | None
) -> None:
    assert client_address(peer, forwarded, TRUSTED) == address


@given(st.binary(max_size=60))
def test_no_header_sets_anything_but_an_address(forwarded: bytes) -> None:
    assert client_address("203.0.113.7", forwarded, TRUSTED) == "203.0.113.7"
    found = client_address("10.0.0.1", forwarded, TRUSTED)
    assert found is None or str(ip_address(found)) == found


@pytest.mark.contract("Scopes and networks 6")
@given(st.ip_addresses(), st.sampled_from(["{}", " {} ", "{}:443", "[{}]", "[{}]:443", '"{}"', "{}%1", "x, {}"]))
def test_an_address_is_the_same_in_every_form(address: IPv4Address | IPv6Address, form: str) -> None:
    assume(not any(address in network for network in TRUSTED))  # a proxy behind which nothing is known
    if form == "{}:443" and address.version == 6:
        form = "{}"  # the port would be a part of the address
    plain = client_address("10.0.0.1", str(address).encode(), TRUSTED)
    assert client_address("10.0.0.1", form.format(address).encode(), TRUSTED) == plain


@pytest.mark.contract("Signing in 7")
@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("198.51.100.1", "198.51.100.1"),
        ("::ffff:198.51.100.1", "198.51.100.1"),
        ("64:ff9b::198.51.100.1", "198.51.100.1"),
        ("2001:db8:0:1::7", "2001:db8:0:1::/64"),
        ("2001:db8:0:1:ffff:ffff:ffff:ffff", "2001:db8:0:1::/64"),
        ("2001:db8:0:2::7", "2001:db8:0:2::/64"),
        (None, "10.0.0.1"),
    ],
)
def test_a_client_is_counted_by_its_network(address: str | None, network: str) -> None:
    assert client_network(address, "10.0.0.1") == network
    assert client_network(None, None) == "unknown"
