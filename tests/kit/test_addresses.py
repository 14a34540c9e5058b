"""Deliveries are sent only to public addresses, in every notation of an address."""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import pytest
from hypothesis import example, given
from hypothesis import settings as runs
from hypothesis import strategies as st

from atrium.kit.network.addresses import AddressRules, ForbiddenAddress, parse_target_url

RULES = AddressRules()
PUBLIC = [
    "8.8.8.8",
    "93.184.216.34",
    "2606:4700::1111",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
    "2a00:1:2:3:0:5efe:808:808",
]
FORBIDDEN = {
    "0.0.0.0": "is an unspecified address",
    "10.0.0.7": "is a private address",
    "172.31.255.255": "is a private address",
    "192.168.1.1": "is a private address",
    "100.64.0.1": "is a shared address",
    "127.0.0.1": "is a loopback address",
    "169.254.1.1": "is a link-local address",
    "169.254.169.254": "is a metadata address",
    "100.100.100.200": "is a shared address",
    "168.63.129.16": "is a metadata address",
    "192.0.0.192": "is a reserved address",
    "192.0.2.1": "is a documentation address",
    "198.19.0.1": "is a benchmarking address",
    "224.0.0.1": "is a multicast address",
    "240.0.0.1": "is a reserved address",
    "255.255.255.255": "is a broadcast address",
    "::": "is an unspecified address",
    "::1": "is a loopback address",
    "fe80::1": "is a link-local address",
    "fd00:ec2::254": "is a private address",
    "fec0::1": "is a private address",
    "ff02::1": "is a multicast address",
    "100::1": "is a reserved address",
    "4000::1": "is a reserved address",
    "2001:db8::1": "is a documentation address",
    "::ffff:169.254.169.254": "is a metadata address",
    "::ffff:a00:7": "is a private address",
    "::ffff:0:10.0.0.7": "is a reserved address",
    "::10.0.0.7": "embeds 10.0.0.7, which is a private address",
    "::8.8.8.8": "is a reserved address",
    "64:ff9b::7f00:1": "embeds 127.0.0.1, which is a loopback address",
    "64:ff9b:1::a00:7": "embeds 10.0.0.7, which is a private address",
    "64:ff9b:1:7f00:0:100:808:808": "embeds 127.0.0.1, which is a loopback address",
    "64:ff9b:1:808:8:800:808:808": "is a translated address",
    "2002:7f00:1::": "embeds 127.0.0.1, which is a loopback address",
    "2002:808:808::1": "is a 6to4 address",
    "2001:0:808:808::80ff:fffe": "embeds 127.0.0.1, which is a loopback address",
    "2001:0:808:808::f7f7:f7f7": "is a reserved address",
    "2a00:1:2:3:0:5efe:a9fe:a9fe": "embeds 169.254.169.254, which is a metadata address",
    "2a00:1:2:3:200:5efe:a00:7": "embeds 10.0.0.7, which is a private address",
    "fe80::1%eth0": "is a zone-scoped address",
    "2606:4700::1111%1": "is a zone-scoped address",
    "127.1": "is not in standard IP address notation",
    "2130706433": "is not in standard IP address notation",
    "010.0.0.7": "is not in standard IP address notation",
    "": "is not in standard IP address notation",
}


@pytest.mark.parametrize("address", PUBLIC)
def test_connections_to_public_addresses_are_allowed(address: str) -> None:
    assert RULES.error(address) is None


@pytest.mark.parametrize(("address", "reason"), FORBIDDEN.items())
def test_other_addresses_are_rejected_with_a_reason(address: str, reason: str) -> None:
    assert RULES.error(address) == reason


@runs(deadline=None)
@given(st.ip_addresses())
def test_every_allowed_address_is_global_according_to_python(address: IPv4Address | IPv6Address) -> None:
    inner = getattr(address, "ipv4_mapped", None) or address
    if RULES.error(str(address)) is None and inner not in ip_network("64:ff9b::/96" if inner.version == 6 else "::/0"):
        assert inner.is_global and not inner.is_multicast and not inner.is_reserved


@runs(deadline=None)
@given(st.ip_addresses(v=4))
def test_an_address_forbidden_as_ipv4_is_forbidden_inside_any_ipv6(inner: IPv4Address) -> None:
    number = int(inner)
    wrapped = [
        int(ip_address("::ffff:0:0")) + number,
        number,
        int(ip_address("64:ff9b::")) + number,
        int(ip_address("64:ff9b:1::")) + number,
        int(ip_address("2002::")) + (number << 80),
        int(ip_address("2001:0:808:808::")) + (number ^ 0xFFFFFFFF),
        int(ip_address("2001::f7f7:f7f7")) + (number << 64),
        int(ip_address("2a00:1:2:3:0:5efe::")) + number,
    ]
    if RULES.error(str(inner)):
        assert all(RULES.error(str(IPv6Address(each))) for each in wrapped)


@runs(deadline=None)
@given(st.ip_addresses(v=4, network="10.0.0.0/8"))
def test_an_allowed_network_is_allowed_as_mapped_ipv6_and_in_no_other_form(inner: IPv4Address) -> None:
    rules = AddressRules([ip_network("10.0.0.0/8"), ip_network("fd00:1::/32")])
    assert rules.error(str(inner)) is None
    assert rules.error(f"::ffff:{inner}") is None
    assert rules.error(f"64:ff9b::{inner}")
    assert rules.error("fd00:1::7") is None
    assert rules.error("fd00:2::7")
    assert rules.error("192.168.0.1")


@runs(deadline=None)
@given(st.text(max_size=40))
@example("[]@")
def test_any_text_is_checked_without_an_error(text: str) -> None:
    RULES.error(text)
    for url in (text, f"http://{text}/", f"https://{text}"):
        try:
            assert parse_target_url(url, RULES).raw_host
        except ForbiddenAddress as refused:
            assert str(refused)
