"""What an operator writes about mail, read: the server that takes it and the address that it comes from."""

import re
from dataclasses import dataclass, field
from email.headerregistry import Address
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

SCHEMES = {"smtp": 25, "smtps": 465}
STARTTLS = {"true": True, "false": False, "auto": None}
# One address whatever stands in it: nothing that would begin another one, or a comment, in a header.
PART = r"[^\x00-\x20\x7f\s@,;:<>()\[\]\"\\]+"
ADDRESS = re.compile(rf"(?P<user>{PART})@(?P<domain>{PART})")
SENDER = re.compile(r"(?P<name>[^<>\x00-\x1f]*)<(?P<named>[^<>\s]+)>|(?P<bare>[^<>\s]+)")


@dataclass(frozen=True)
class SmtpServer:
    """A server that takes mail. `starttls`: True insists on it, None uses it where it is offered."""

    host: str
    port: int
    tls: bool = False
    starttls: bool | None = None
    user: str | None = None
    password: str | None = field(default=None, repr=False)


def parse_smtp_url(url: str) -> SmtpServer:
    """Read `smtp://user:password@host:25?starttls=auto` or `smtps://…`.

    Raises ValueError, which says what is wrong without showing the URL: it may hold a password.
    """
    parts = _split(url)
    if not parts.hostname:
        raise ValueError("names no host; write smtp://host:25")
    if parts.path not in ("", "/") or parts.fragment:
        raise ValueError("has something behind the host; in a user or password, / is written %2F, ? %3F and # %23")
    if (parts.username is None) != (parts.password is None):
        raise ValueError("has a user without a password; write smtp://user:password@host")
    tls = parts.scheme == "smtps"
    return SmtpServer(
        host=parts.hostname, port=parts.port or SCHEMES[parts.scheme],
        tls=tls, starttls=_starttls(parts.query, tls=tls),
        user=_unquoted(parts.username), password=_unquoted(parts.password),
    )  # fmt: skip


def parse_sender(text: str) -> Address:
    """Read `atrium@example.org` or `Atrium <atrium@example.org>`. Raises ValueError."""
    found = SENDER.fullmatch(text.strip())
    if found is None:
        raise ValueError("is not an address such as atrium@example.org or Atrium <atrium@example.org>")
    address = address_of(found["named"] or found["bare"])
    return Address(" ".join((found["name"] or "").strip(' "').split()), address.username, address.domain)


def address_of(text: str) -> Address:
    """A single email address. Raises ValueError for anything else."""
    found = ADDRESS.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is not an email address")
    return Address(username=found["user"], domain=found["domain"])


def _split(url: str) -> SplitResult:
    """The parts of the URL. The library's own words about a port may hold half a password, and are not passed on."""
    try:
        parts = urlsplit(url)
        taken = parts.port
    except ValueError:
        raise ValueError("has a host or port that cannot be read; write smtp://host:25") from None
    if parts.scheme not in SCHEMES:
        raise ValueError("has to begin with smtp:// or smtps://")
    if taken == 0:
        raise ValueError("names port 0, which no server has")
    return parts


def _starttls(query: str, *, tls: bool) -> bool | None:
    options = dict(parse_qsl(query, keep_blank_values=True))
    asked = options.pop("starttls", "false" if tls else "auto")
    if options or asked not in STARTTLS:
        raise ValueError("takes one option behind the ?, which is starttls=true, starttls=false or starttls=auto")
    if tls and STARTTLS[asked]:
        raise ValueError("asks for starttls, which smtps:// does not need: it is encrypted from the start")
    return False if tls else STARTTLS[asked]


def _unquoted(text: str | None) -> str | None:
    return None if text is None else unquote(text)
