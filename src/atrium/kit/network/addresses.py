"""The URLs and IP addresses that webhooks may use: public ones, and networks that the operator allows.

The tables are those of the IANA special-purpose address registries. They are included here, so that the rules do not
depend on the version of Python.

Path and query are requested exactly as they are written. Libraries for URLs write them again: `%2F` becomes `/`, `[]`
becomes `%5B%5D`, `/a/../b` becomes `/b`, and the `?` of an empty query is lost. A signature in a URL, or a router that
compares paths, would not survive that.
"""

import re
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import TypeAlias
from urllib.parse import quote

from yarl import URL

Address: TypeAlias = IPv4Address | IPv6Address

# The first match counts, so narrower networks come before wider ones.
FORBIDDEN_4 = [
    (IPv4Network(network), kind)
    for network, kind in [
        ("169.254.169.254/32", "a metadata address"),
        ("168.63.129.16/32", "a metadata address"),  # Azure; inside a public network
        ("0.0.0.0/8", "an unspecified address"),
        ("10.0.0.0/8", "a private address"),
        ("100.64.0.0/10", "a shared address"),
        ("127.0.0.0/8", "a loopback address"),
        ("169.254.0.0/16", "a link-local address"),
        ("172.16.0.0/12", "a private address"),
        ("192.0.0.0/24", "a reserved address"),
        ("192.0.2.0/24", "a documentation address"),
        ("192.88.99.0/24", "a reserved address"),
        ("192.168.0.0/16", "a private address"),
        ("198.18.0.0/15", "a benchmarking address"),
        ("198.51.100.0/24", "a documentation address"),
        ("203.0.113.0/24", "a documentation address"),
        ("224.0.0.0/4", "a multicast address"),
        ("255.255.255.255/32", "a broadcast address"),
        ("240.0.0.0/4", "a reserved address"),
    ]
]
FORBIDDEN_6 = [
    (IPv6Network(network), kind)
    for network, kind in [
        ("::/128", "an unspecified address"),
        ("::1/128", "a loopback address"),
        ("64:ff9b:1::/48", "a translated address"),
        ("2001::/23", "a reserved address"),  # includes Teredo
        ("2001:db8::/32", "a documentation address"),
        ("2002::/16", "a 6to4 address"),
        ("3fff::/20", "a documentation address"),
        ("fc00::/7", "a private address"),
        ("fe80::/10", "a link-local address"),
        ("fec0::/10", "a private address"),
        ("ff00::/8", "a multicast address"),
    ]
]
GLOBAL_6 = IPv6Network("2000::/3")
TRANSLATED = IPv6Network("64:ff9b::/96")
LOCAL_NAT64 = IPv6Network("64:ff9b:1::/48")
COMPATIBLE = IPv6Network("::/96")
ISATAP = 0x5EFE
ISATAP_UNIVERSAL_BIT = 0x02000000
BEFORE_PATH = re.compile(r"[^/?#]*//[^/?#\\]*")
# RFC 3986, and of the other characters those that browsers send as they are.
UNSENDABLE = re.compile(r"[^!$-;=?-\[\]-~]|%(?![0-9A-Fa-f]{2})")


class ForbiddenAddress(Exception):
    """A URL or address that no delivery may use; `str()` is the message for users."""


class InexactURL(ValueError):
    """A URL that no request can name as it is written; `str()` is the message for users."""


class AddressRules:
    """The rules for addresses: public ones and those in `allowed` networks may be used.

    An allowed IPv4 network includes the same addresses as IPv4-mapped IPv6 addresses, but not inside any other IPv6
    address.
    """

    def __init__(self, allowed: Sequence[IPv4Network | IPv6Network] = ()) -> None:
        self._allowed = tuple(allowed)

    def error(self, address: str) -> str | None:
        """Return why no delivery may use an IP address, as a predicate such as "is a private address", or None.

        An IP address in an unusual notation is forbidden too.
        """
        if "%" in address:
            return "is a zone-scoped address"
        try:
            ip = _unmapped(ip_address(address))
        except ValueError:
            return "is not in standard IP address notation"
        if any(ip in network for network in self._allowed):
            return None
        return _error_4(ip) if isinstance(ip, IPv4Address) else _error_6(ip)


def parse_target_url(url: str, rules: AddressRules) -> URL:
    """Parse a URL. Raise ForbiddenAddress if it cannot be used or contains a forbidden address."""
    try:
        target = URL(url)
        host, port = target.raw_host, target.explicit_port
    except (ValueError, IndexError) as error:  # IndexError for `http://[]@/`: yarl, issue 1822
        raise ForbiddenAddress("the URL is not valid") from error
    if any(character <= " " or character == "\x7f" for character in url):
        raise ForbiddenAddress("the URL has spaces or control characters in it")
    if target.scheme not in {"http", "https"}:
        raise ForbiddenAddress("the URL must begin with https:// or http://")
    if not host:
        raise ForbiddenAddress("the URL has no host")
    if "@" in target.raw_authority:
        raise ForbiddenAddress("the URL must not have a user or password in it")
    if port == 0:
        raise ForbiddenAddress("the URL's port must be from 1 to 65535")
    if is_literal(host) and (reason := rules.error(host)):
        raise ForbiddenAddress(f"{host} {reason}")
    return target


def is_literal(host: str) -> bool:
    """Return whether a host is an address, also in an unusual notation (127.1, 0x7f.1, 2130706433), and not a name."""
    last = host.rstrip(".").rpartition(".")[2].lower()
    return ":" in host or last.isdigit() or last.startswith("0x")


def written_path(url: str) -> str:
    """Return the path and query of an http or https URL as they are written."""
    rest = BEFORE_PATH.sub("", url, count=1).partition("#")[0]
    return rest if rest.startswith("/") else f"/{rest}"


def require_exact(url: str) -> None:
    """Raise InexactURL unless requests can name exactly this URL."""
    if "#" in url:
        raise InexactURL(
            "the URL must not have a fragment: it is not sent. Write # as %23 if it is part of the path or query"
        )
    if (found := UNSENDABLE.search(written_path(url))) is None:
        return
    if found[0] == "%":
        raise InexactURL("the URL has a % that is not followed by two hexadecimal digits. Write it as %25")
    raise InexactURL(f"the URL has {found[0]} in its path or query. Write it as {quote(found[0])}")


def _unmapped(address: Address) -> Address:
    return (isinstance(address, IPv6Address) and address.ipv4_mapped) or address


def _error_4(address: IPv4Address) -> str | None:
    return next((f"is {kind}" for network, kind in FORBIDDEN_4 if address in network), None)


def _error_6(address: IPv6Address) -> str | None:
    kind = next((kind for network, kind in FORBIDDEN_6 if address in network), None)
    inner = None if kind in {"a loopback address", "an unspecified address"} else _forbidden_inside(address)
    if inner:
        return inner
    # A network without IPv4 can access public IPv4 addresses through the well-known translation prefix only.
    if kind is None and (address in GLOBAL_6 or address in TRANSLATED):
        return None
    return f"is {kind or 'a reserved address'}"


def _forbidden_inside(address: IPv6Address) -> str | None:
    for embedded in _embedded(address):
        error = _error_4(embedded)
        if error:
            return f"embeds {embedded}, which {error}"
    return None


def _embedded(address: IPv6Address) -> list[IPv4Address]:
    """Return the IPv4 addresses in an IPv6 address that tunnels or translation would use."""
    last = IPv4Address(int(address) & 0xFFFFFFFF)
    if address.sixtofour:
        return [address.sixtofour]
    if address.teredo:
        return list(address.teredo)
    if address in TRANSLATED or address in COMPATIBLE:
        return [last]
    if address in LOCAL_NAT64:  # RFC 6052, section 2.2: bits 64 to 71 are between the halves
        number = int(address)
        return [last, IPv4Address((number >> 64 & 0xFFFF) << 16 | number >> 40 & 0xFFFF)]
    is_tunneled = (int(address) >> 32 & 0xFFFFFFFF) & ~ISATAP_UNIVERSAL_BIT == ISATAP
    return [last] if is_tunneled else []
