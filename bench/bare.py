"""`python -m bench.bare URL FILE COUNT`: measure how much aiohttp can send, to compare the delivery worker with.

Post the bodies of FILE, one per line, until COUNT are answered, with the headers of a delivery, over 64 connections.
Print requests per second.
"""

import asyncio
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path

import aiohttp
import uvloop

from atrium.kit.clock import utc_now
from atrium.kit.ids import new_id
from atrium.webhooks.delivery.headers import signed_headers
from atrium.webhooks.delivery.signing import new_secret
from bench.load import CONNECTIONS


async def main(url: str, bodies: Sequence[bytes], count: int) -> None:
    """Post all bodies and print the rate."""
    headers = signed_headers("message_sent", new_id(utc_now()), bodies[0], secrets=[new_secret()], now=utc_now())
    left = islice(cycle(bodies), count)
    connector = aiohttp.TCPConnector(limit=CONNECTIONS)
    async with aiohttp.ClientSession(connector=connector, headers=headers) as session:
        began = time.perf_counter()
        await asyncio.gather(*(_post(session, url, left) for _ in range(CONNECTIONS)))
        print(count / (time.perf_counter() - began))


async def _post(session: aiohttp.ClientSession, url: str, left: Iterator[bytes]) -> None:
    for body in left:
        async with session.post(url, data=body) as answer:
            await answer.read()
            assert answer.status == 200


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1], Path(sys.argv[2]).read_bytes().splitlines(), int(sys.argv[3])))
