"""Private rooms, and messages in them."""

import asyncio
from collections.abc import Awaitable
from typing import Any

from tests.conftest import Api


def run(work: Awaitable[Any]) -> Any:
    async def act() -> Any:
        return await work

    return asyncio.run(act())


def private_room(api: Api) -> tuple[str, str]:
    space = api.new_space("private")
    return space, api.new_room(space)["room_id"]


def say_in(api: Api, room_id: str, text: str) -> None:
    sent = api.person.post(f"/v2/rooms/{room_id}/messages", json={"text": text})
    assert sent.status_code == 201, sent.text
