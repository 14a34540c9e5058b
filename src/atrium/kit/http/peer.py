"""Where a request came from, also behind proxies."""

from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address

Networks = Sequence[IPv4Network | IPv6Network]


def client_address(peer: str | None, forwarded: bytes | None, trusted: Networks) -> str | None:
    """The address of the caller: the peer's own, unless the peer is a trusted proxy; then the last one in
    `X-Forwarded-For` that is not, because whatever stands before it anyone could have written."""
    address = peer
    hops = [hop.strip() for hop in (forwarded or b"").decode("latin-1").split(",") if hop.strip()]
    while hops and address is not None and is_in(address, trusted):
        address = hops.pop()
    return address if address is None or _is_address(address) else peer


def is_in(address: str, networks: Networks) -> bool:
    """Whether the address is one of the networks'."""
    return _is_address(address) and any(ip_address(address) in network for network in networks)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
