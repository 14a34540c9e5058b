"""Find the address of a client, including behind trusted proxies."""

from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address

Networks = Sequence[IPv4Network | IPv6Network]


def client_address(peer: str | None, forwarded: bytes | None, trusted: Networks) -> str | None:
    """Return the address of the client: that of the peer or, behind trusted proxies, the last address in
    `X-Forwarded-For` that is not a trusted proxy. The client can forge all addresses before that one."""
    address = peer
    hops = [hop.strip() for hop in (forwarded or b"").decode("latin-1").split(",") if hop.strip()]
    while hops and address is not None and is_in(address, trusted):
        address = hops.pop()
    return _normal(address if address is None or _is_address(address) else peer)


def is_in(address: str, networks: Networks) -> bool:
    """Return whether an address is in one of the networks."""
    return _is_address(address) and any(ip_address(address) in network for network in networks)


def _normal(address: str | None) -> str | None:
    """Return an address as networks and the audit log know it: IPv4 in its own notation, IPv6 without a zone."""
    if address is None or not _is_address(address):
        return None
    parsed = ip_address(address.partition("%")[0])
    return str(getattr(parsed, "ipv4_mapped", None) or parsed)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
