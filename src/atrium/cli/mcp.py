"""`atrium mcp`: Atrium as a tool of an AI agent, over the Model Context Protocol."""

import asyncio
from typing import Annotated

import typer

from atrium.cli.refusal import Refusal
from atrium.mcp.server import serve_stdio

Url = Annotated[str, typer.Option(envvar="ATRIUM_URL", metavar="SERVER", help="The server to act on.")]
Key = Annotated[str | None, typer.Option(envvar="ATRIUM_KEY", metavar="KEY", help="A personal key.")]


def mcp(*, url: Url = "http://127.0.0.1:8700", key: Key = None) -> None:
    """Serve the Model Context Protocol on standard input and output, for an agent that acts as a person.

    The agent lists rooms, reads histories and threads, searches and sends,
    with exactly the reach of the person whose key it is.
    """
    if not key:
        raise Refusal("no key: pass --key, or set ATRIUM_KEY, to a personal key")
    if not key.startswith("atrp_"):
        raise Refusal("an agent acts as a person: make a personal key for it, which begins with atrp_")
    try:
        asyncio.run(serve_stdio(url, key))
    except ValueError as error:
        raise Refusal(str(error)) from None
