"""Check before measuring that the responses are correct."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from bench.load import BenchError, Load


def check_pages(load: Load, *, messages: int) -> None:
    """Raise BenchError unless the pages that a load will request are full; check twenty of them."""
    lines = Path(load.arguments[0]).read_text().splitlines()
    for line in lines[:: max(1, len(lines) // 20)]:
        _, path, key, _ = line.split("\t")
        found = len(_get(load.url + path, key)["messages"])
        if found != messages:
            raise BenchError(f"{path} answered {found} messages instead of {messages}")


def check_walk(load: Load, *, messages: int) -> int:
    """Return the number of requests of a complete walk. Raise BenchError unless it reads every message exactly once."""
    start, key, created_at = load.arguments
    seen: list[str] = []
    path, requests = start, 0
    while path:
        page = _get(load.url + path, key)
        seen += [message["message_id"] for message in page["messages"]]
        requests += 1
        path = _next_step(page, start, created_at)
    if len(seen) != messages or sorted(seen, reverse=True) != seen or len(set(seen)) != messages:
        raise BenchError(
            f"a walk read {len(set(seen))} distinct messages of {len(seen)} instead of {messages}, in order"
        )
    return requests


def _next_step(page: dict[str, Any], start: str, created_at: str) -> str:
    if page["shard_has_more"]:
        cursor = page["next_cursor_sent_at"], page["next_cursor_message_id"]
        return f"{start}&cursor_sent_at={cursor[0]}&cursor_message_id={cursor[1]}"
    older: str = page["next_partition_cursor"]
    return f"{start}&cursor_sent_at={older}" if older >= created_at else ""


def _get(url: str, key: str) -> dict[str, Any]:
    try:
        with urlopen(Request(url, headers={"authorization": f"Bearer {key}"}), timeout=30) as response:
            if response.status != 200:
                raise BenchError(f"{url} answered {response.status}")
            page: dict[str, Any] = json.load(response)
            return page
    except HTTPError as error:
        raise BenchError(f"{url} answered {error.code}") from None


def check_all(pages: Sequence[Load], walk: Load, *, page: int, walked: int) -> int:
    """Check every load of pages and the walk, and return the number of requests of a walk."""
    for load in pages:
        check_pages(load, messages=page)
    return check_walk(walk, messages=walked)
