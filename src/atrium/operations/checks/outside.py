"""What is outside: the address that people use, the mail server, the sign-in provider."""

from collections.abc import AsyncIterator
from ipaddress import ip_address
from urllib.parse import urlsplit

import httpx

from atrium.kit.mail.queue import greet
from atrium.kit.mail.smtp import parse_smtp_url
from atrium.kit.settings import Settings
from atrium.operations.checks import Finding, fail, ok, warn

ANSWERS_WITHIN = 10.0  # seconds
DISCOVERY = "/.well-known/openid-configuration"


async def check_outside(settings: Settings) -> AsyncIterator[Finding]:
    """Whatever is set of it."""
    yield public_url(settings.public_url, settings.host)
    if settings.smtp_url is not None:
        yield await mail_server(settings.smtp_url)
    issuer = settings.oidc_issuer
    if issuer is not None:
        yield await provider(issuer)


def public_url(given: str | None, host: str) -> Finding:
    """The address that links begin with."""
    if given is None:
        if is_loopback(host):
            return ok("public address", "this machine alone")
        advice = "Set ATRIUM_PUBLIC_URL to where people reach it, https://atrium.example.org."
        return warn("public address", f"not set: links begin with http://{host}", advice)
    parts = urlsplit(given)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return fail(
            "public address", f"{given} is no address", "Write ATRIUM_PUBLIC_URL as https://atrium.example.org."
        )
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        return fail(
            "public address", f"{given} has something behind the host", "Leave it out: Atrium has the whole host."
        )
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        advice = "Put a server that speaks TLS before it (Caddy, nginx) and write https://."
        return warn("public address", f"{given} is not https: keys travel readable", advice)
    return ok("public address", given)


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches that host."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


async def mail_server(smtp_url: str) -> Finding:
    """Connect, greet, encrypt and sign in as for sending; no mail is sent."""
    server = parse_smtp_url(smtp_url)
    problem = await greet(smtp_url, within=ANSWERS_WITHIN)
    if problem:
        said = f"{server.host}:{server.port} does not take mail from us: {problem}"
        return fail("mail server", said, "Correct ATRIUM_SMTP_URL, or see why that server refuses.")
    return ok("mail server", f"{server.host}:{server.port} answers")


async def provider(issuer: str) -> Finding:
    """Whether the OpenID Connect provider tells of itself, under the name that is set."""
    address = issuer.rstrip("/") + DISCOVERY
    advice = "Correct ATRIUM_OIDC_ISSUER, or see why this machine does not reach it."
    try:
        async with httpx.AsyncClient(timeout=ANSWERS_WITHIN) as client:
            answer = (await client.get(address)).raise_for_status().json()
    except (httpx.HTTPError, ValueError) as error:
        return fail("sign-in provider", f"{address}: {str(error).splitlines()[0] or type(error).__name__}", advice)
    told = answer.get("issuer") if isinstance(answer, dict) else None
    if told != issuer:
        return fail("sign-in provider", f"{address} is of {told}, not {issuer}", advice)
    return ok("sign-in provider", issuer)
