"""Parse the settings for mail: the URL of the mail server and the sender."""

import re
from dataclasses import dataclass, field
from email.headerregistry import Address
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

SCHEMES = {"smtp": 25, "smtps": 465}
STARTTLS = {"true": True, "false": False, "auto": None}
# A single address: no character can begin another address, or a comment, in a header.
PART = r"[^\x00-\x20\x7f\s@,;:<>()\[\]\"\\]+"
ADDRESS = re.compile(rf"(?P<user>{PART})@(?P<domain>{PART})")
SENDER = re.compile(r"(?P<name>[^<>\x00-\x1f]*)<(?P<named>[^<>\s]+)>|(?P<bare>[^<>\s]+)")


@dataclass(frozen=True)
class SmtpServer:
    """A mail server. `starttls` is True if STARTTLS is required, None if it is used when offered."""

    host: str
    port: int
    tls: bool = False
    starttls: bool | None = None
    user: str | None = None
    password: str | None = field(default=None, repr=False)


def parse_smtp_url(url: str) -> SmtpServer:
    """Parse `smtp://user:password@host:25?starttls=auto` or `smtps://…`.

    Raise ValueError. Its message does not contain the URL, which may include a password.
    """
    parts = _split(url)
    if not parts.hostname:
        raise ValueError("has no host; write smtp://host:25")
    if parts.path not in ("", "/") or parts.fragment:
        raise ValueError("has a path or a fragment; in a user or password, write %2F for /, %3F for ? and %23 for #")
    if (parts.username is None) != (parts.password is None):
        raise ValueError("has a user without a password; write smtp://user:password@host")
    tls = parts.scheme == "smtps"
    return SmtpServer(
        host=parts.hostname,
        port=parts.port or SCHEMES[parts.scheme],
        tls=tls,
        starttls=_starttls(parts.query, tls=tls),
        user=_unquoted(parts.username),
        password=_unquoted(parts.password),
    )


def parse_sender(text: str) -> Address:
    """Parse `atrium@example.org` or `Atrium <atrium@example.org>`. Raise ValueError for anything else."""
    found = SENDER.fullmatch(text.strip())
    if found is None:
        raise ValueError("is not an address such as atrium@example.org or Atrium <atrium@example.org>")
    address = address_of(found["named"] or found["bare"])
    return Address(" ".join((found["name"] or "").strip(' "').split()), address.username, address.domain)


def address_of(text: str) -> Address:
    """Parse a single email address. Raise ValueError for anything else."""
    found = ADDRESS.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is not an email address")
    return Address(username=found["user"], domain=found["domain"])


def _split(url: str) -> SplitResult:
    """Return the parts of the URL. The library's message about a port may contain half a password, so it is dropped."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ValueError("has an invalid host or port; write smtp://host:25") from None
    if parts.scheme not in SCHEMES:
        raise ValueError("must begin with smtp:// or smtps://")
    if port == 0:
        raise ValueError("has port 0; a port is from 1 to 65535")
    return parts


def _starttls(query: str, *, tls: bool) -> bool | None:
    options = dict(parse_qsl(query, keep_blank_values=True))
    starttls = options.pop("starttls", "false" if tls else "auto")
    if options or starttls not in STARTTLS:
        raise ValueError("has an invalid option; use starttls=true, starttls=false or starttls=auto")
    if tls and STARTTLS[starttls]:
        raise ValueError("has starttls=true, but smtps:// is already encrypted; remove one of them")
    return False if tls else STARTTLS[starttls]


def _unquoted(text: str | None) -> str | None:
    return None if text is None else unquote(text)
