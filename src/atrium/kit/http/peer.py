"""Find the address of a client, including behind trusted proxies, and the network that it is counted by."""

import re
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Networks = Sequence[IPv4Network | IPv6Network]
# `198.51.100.1:443`, `[2001:db8::1]:443` and `[2001:db8::1]`, as some proxies write an address
WITH_PORT = re.compile(r"\[(?P<six>[^\]]*)\](?::\d{1,5})?|(?P<four>[\d.]+):\d{1,5}")
TRANSLATED = IPv6Network("64:ff9b::/96")  # NAT64 (RFC 6052): the last 32 bits are an IPv4 address
PREFIX_OF_CLIENT = 64  # bits of an IPv6 address; a client can use every address that begins with them
FORWARDED_FOR = b"x-forwarded-for"
UNKNOWN_NETWORK = "unknown"


def client_address(peer: str | None, forwarded: bytes | None, trusted: Networks) -> str | None:
    """Return the address of the client: that of the peer or, behind trusted proxies, the last address in
    `X-Forwarded-For` that is not a trusted proxy. The client can forge all addresses before that one.

    None if the client or its proxy does not name an address, so that it is in no network.
    """
    address = _parsed(peer)
    hops = [hop.strip() for hop in (forwarded or b"").decode("latin-1").split(",") if hop.strip()]
    while hops and address is not None and _is_in(address, trusted):
        address = _parsed(hops.pop())
    return None if address is None else str(address)


def client_network(address: str | None, peer: str | None) -> str:
    """Return the network that a client is counted by: its address, or the /64 of an IPv6 address. A client whose
    address is not known is counted by the proxy."""
    found = _parsed(address) or _parsed(peer)
    if found is None:
        return UNKNOWN_NETWORK
    if isinstance(found, IPv4Address):
        return str(found)
    if found in TRANSLATED:
        return str(IPv4Address(int(found) & 0xFFFF_FFFF))
    return str(ip_network((found, PREFIX_OF_CLIENT), strict=False))


def _is_in(address: IPv4Address | IPv6Address, networks: Networks) -> bool:
    return any(address in network for network in networks)


def _parsed(text: str | None) -> IPv4Address | IPv6Address | None:
    """Return an address as networks and the audit log know it, without port and zone, and IPv4 as such. None if it is
    not an address, such as `unknown`."""
    text = (text or "").strip().strip('"')
    if (found := WITH_PORT.fullmatch(text)) is not None:
        text = found["six"] or found["four"] or ""
    try:
        parsed = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(parsed, "ipv4_mapped", None) or parsed


def joined(headers: Sequence[tuple[bytes, bytes]], name: bytes) -> bytes | None:
    """Return the value of a header that may occur several times, as one list (RFC 9110, section 5.3)."""
    values = [value for each, value in headers if each == name]
    return b", ".join(values) if values else None
