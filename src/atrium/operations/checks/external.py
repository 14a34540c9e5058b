"""Checks of the public URL and of external services: the mail server and the sign-in provider."""

from collections.abc import AsyncIterator
from ipaddress import ip_address
from urllib.parse import urlsplit

import httpx

from atrium.kit.mail.queue import check_connection
from atrium.kit.mail.smtp import parse_smtp_url
from atrium.kit.settings import Settings
from atrium.operations.checks import Finding, fail, ok, warn

RESPONSE_TIMEOUT = 10.0  # seconds
DISCOVERY = "/.well-known/openid-configuration"


async def check_external(settings: Settings) -> AsyncIterator[Finding]:
    """Yield the findings of these checks, as far as they are configured."""
    yield public_url(settings.public_url, settings.host)
    if settings.smtp_url is not None:
        yield await mail_server(settings.smtp_url)
    issuer = settings.oidc_issuer
    if issuer is not None:
        yield await provider(issuer)


def public_url(given: str | None, host: str) -> Finding:
    """Check the URL that links begin with."""
    if given is None:
        if is_loopback(host):
            return ok("public address", "not set; only this machine can connect")
        advice = "Set ATRIUM_PUBLIC_URL to the URL that people use, such as https://atrium.example.org."
        return warn("public address", f"not set: links begin with http://{host}", advice)
    parts = urlsplit(given)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return fail(
            "public address",
            f"{given} is not a URL",
            "Set ATRIUM_PUBLIC_URL to a URL such as https://atrium.example.org.",
        )
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        return fail("public address", f"{given} has a path", "Remove the path: Atrium must run at the root of a host.")
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        advice = "Put a reverse proxy with TLS in front of it (Caddy, nginx), and use https://."
        return warn("public address", f"{given} is not https: keys are sent unencrypted", advice)
    return ok("public address", given)


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach a host."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


async def mail_server(smtp_url: str) -> Finding:
    """Check that the mail server accepts a connection with TLS and authentication. Send no mail."""
    server = parse_smtp_url(smtp_url)
    problem = await check_connection(smtp_url, within=RESPONSE_TIMEOUT)
    if problem:
        summary = f"{server.host}:{server.port} cannot be used: {problem}"
        return fail("mail server", summary, "Correct ATRIUM_SMTP_URL, or find the reason in that server's log.")
    return ok("mail server", f"{server.host}:{server.port} responds")


async def provider(issuer: str) -> Finding:
    """Check that the OpenID Connect provider publishes its configuration, with the issuer in the settings."""
    address = issuer.rstrip("/") + DISCOVERY
    advice = "Correct ATRIUM_OIDC_ISSUER, or find out why this machine cannot reach it."
    try:
        async with httpx.AsyncClient(timeout=RESPONSE_TIMEOUT) as client:
            document = (await client.get(address)).raise_for_status().json()
    except (httpx.HTTPError, ValueError) as error:
        return fail("sign-in provider", f"{address}: {str(error).splitlines()[0] or type(error).__name__}", advice)
    published = document.get("issuer") if isinstance(document, dict) else None
    if published != issuer:
        return fail("sign-in provider", f"{address} publishes the issuer {published}, not {issuer}", advice)
    return ok("sign-in provider", issuer)
