"""The URL that is requested is the one that was saved, byte for byte."""

import asyncio
import string
from ipaddress import ip_network

import pytest
from hypothesis import example, given
from hypothesis import settings as runs
from hypothesis import strategies as st

from atrium.kit.network.addresses import AddressRules, ForbiddenAddress, parse_target_url, written_path
from atrium.kit.network.outbound import Outbound, request_of
from tests.kit.receivers import LOOPBACK, WHOLE, receiver, run, take

WRITTEN = [
    "/hook?x-signature=rX7A%2FXCC2w%3D", "/hook?x[]=1&x[]=2", "/a/../b/./c", "//a//b", "/hook?", "/hook??a=?", "/%7e%7E",
    "/a%2fb", "/a;b=c,d?e+f=%20+g&&=&h", "/(a)*'!$&:@", "/{a}|`^?{a}|`^'", "/a?b/../c", "?a=b", "", "/%E2%82%AC?%E4", "/-._~",
]  # fmt: skip
REFUSED = {
    "/%zz": "the URL has a % that is not followed by two hexadecimal digits. Write it as %25",
    "/a?b=100%": "the URL has a % that is not followed by two hexadecimal digits. Write it as %25",
    "/größe": "the URL has ö in its path or query. Write it as %C3%B6",
    "/a?b=\N{EURO SIGN}": "the URL has € in its path or query. Write it as %E2%82%AC",
    '/a?b="c"': 'the URL has " in its path or query. Write it as %22',
    "/<a>": "the URL has < in its path or query. Write it as %3C",
    "/a\\b": "the URL has \\ in its path or query. Write it as %5C",
    "/a#b": "the URL must not have a fragment",
    "/a?b=c#": "the URL must not have a fragment",
}
ANYWHERE = AddressRules([ip_network("::/0")])
ANY_URL = st.text(string.ascii_letters + string.digits + string.punctuation + "é", max_size=30)


def requested_target(path: str) -> str:
    """Save and call the URL with this path and query; return the target of the request."""
    lines: list[bytes] = []

    async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines.append((await take(reader))[0].split(b"\r\n")[0])
        writer.write(WHOLE)

    async def act() -> None:
        async with receiver(behave) as place, Outbound(LOOPBACK) as outbound:
            url = place.removesuffix("/hook") + path
            await outbound.check(url)
            assert (await outbound.post(url, {}, b"x")).succeeded

    run(act())
    return lines[0].decode("latin-1").removeprefix("POST ").removesuffix(" HTTP/1.1")


@pytest.mark.contract("Webhook details 18")
@pytest.mark.parametrize("path", WRITTEN)
def test_the_path_and_query_are_requested_as_they_were_saved(path: str) -> None:
    assert requested_target(path) == (path if path.startswith("/") else f"/{path}")


@pytest.mark.contract("Webhook details 18")
@given(st.sampled_from("/?"), ANY_URL)
@example("/", "?")
@runs(max_examples=150, deadline=None)
def test_any_path_is_requested_as_it_was_saved_or_cannot_be_saved(first: str, rest: str) -> None:
    try:
        found = requested_target(first + rest)
    except ForbiddenAddress:
        return
    assert found == ("/" if first == "?" else "") + first + rest


@pytest.mark.contract("Webhook details 18")
@pytest.mark.parametrize(("path", "reason"), REFUSED.items())
def test_a_url_that_cannot_be_requested_as_it_is_written_cannot_be_saved(path: str, reason: str) -> None:
    with pytest.raises(ForbiddenAddress) as refused:
        requested_target(path)
    assert str(refused.value).startswith(reason)


@pytest.mark.parametrize(
    ("written", "host"),
    [
        ("HTTP://LOCALHOST:80/A", "localhost"),
        ("http://[0:0:0:0:0:0:0:1]:8080/", "[::1]:8080"),
        ("https://bücher.example:443/", "xn--bcher-kva.example"),
        ("https://bücher.example:80/", "xn--bcher-kva.example:80"),
    ],
)
def test_the_host_header_names_the_host_and_a_port_that_is_not_the_default(written: str, host: str) -> None:
    request = request_of(parse_target_url(written, ANYWHERE), written_path(written), {}, b"").decode()
    assert f"\r\nHost: {host}\r\n" in request
