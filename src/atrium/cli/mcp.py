"""`atrium mcp`: tools for an AI agent, over the Model Context Protocol."""

import asyncio
from typing import Annotated

import typer

from atrium.cli.errors import CommandError
from atrium.mcp.server import serve_stdio

Url = Annotated[str, typer.Option(envvar="ATRIUM_URL", metavar="SERVER", help="The server to use.")]
Key = Annotated[str | None, typer.Option(envvar="ATRIUM_KEY", metavar="KEY", help="A personal key.")]


def mcp(*, url: Url = "http://127.0.0.1:8700", key: Key = None) -> None:
    """Serve the Model Context Protocol on standard input and output, for an AI agent.

    The agent can list rooms, read histories and threads, search and send, with
    the same access as the person whose key it has.
    """
    if not key:
        raise CommandError("no key: pass --key or set ATRIUM_KEY to a personal key")
    if not key.startswith("atrp_"):
        raise CommandError("an agent acts as a person and needs a personal key, which begins with atrp_")
    try:
        asyncio.run(serve_stdio(url, key))
    except ValueError as error:
        raise CommandError(str(error)) from None
