"""The client address of a request, with and without proxies."""

from ipaddress import ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atrium.kit.http.peer import client_address

TRUSTED = (ip_network("10.0.0.0/8"), ip_network("::1/128"))


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("203.0.113.7", None, "203.0.113.7"),
        ("203.0.113.7", b"198.51.100.1", "203.0.113.7"),
        ("10.0.0.1", b"198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", b"1.2.3.4, 198.51.100.1, 10.9.9.9", "198.51.100.1"),
        ("10.0.0.1", b"10.0.0.5", "10.0.0.5"),
        ("::1", b"2001:db8::1", "2001:db8::1"),
        ("10.0.0.1", b"not an address", "10.0.0.1"),
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
    assert found is not None
    assert set(found) <= set("0123456789abcdefABCDEF.:%") or "%" in found
