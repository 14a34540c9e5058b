"""Imports as the API shows them."""

from pathlib import Path
from typing import Any

from tests.imports.export import slack_message, ts, write_zip
from tests.imports.harness import importer, upload_async
from tests.webhooks.harness import Harness

COUNT = 5_000  # of messages, in batches of 1,000


def export(folder: Path) -> Path:
    messages = [
        slack_message(nr, f"m{nr}", **({"thread_ts": ts(nr - nr % 10)} if nr % 10 else {})) for nr in range(COUNT)
    ]
    return write_zip(folder / "export.zip", {f"general/2017-07-{14 + nr}.json": messages[nr::3] for nr in range(3)})


async def read(harness: Harness, url: str) -> dict[str, Any]:
    return dict((await harness.client.get(url)).raise_for_status().json())


async def started(harness: Harness, path: Path) -> str:
    url = await upload_async(harness, path)
    async with importer(harness) as worker:
        assert await worker.run_next()
    (await harness.client.post(f"{url}/start")).raise_for_status()
    return url
