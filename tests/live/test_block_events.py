"""The events of a room's page, with the blocks that the API returns."""

import asyncio

import pytest

from tests.blocks.changing import add, change, delete, restore
from tests.conftest import Api
from tests.live.client import Json, listen, receive, streams


@pytest.mark.contract("Messages and blocks 16")
def test_the_events_of_blocks_have_the_block_as_the_api_returns_it(api: Api) -> None:
    made: list[Json] = []
    event = receive(api, lambda: made.append(add(api, "first")), "block.created")
    [block] = made
    assert event.data == block
    path = f"/v2/blocks/{block['block_id']}"
    event = receive(api, lambda: change(api, block, content={"text": "second"}), "block.updated")
    assert event.data == api.person.get(path).json()
    add(api, "other")
    event = receive(api, lambda: change(api, block, position=1), "block.updated")
    assert (event.data["position"], event.data) == (1, api.person.get(path).json())
    event = receive(api, lambda: delete(api, block), "block.deleted")
    assert event.data == {"block_id": block["block_id"], "room_id": api.room_id, "user_id": api.person_id}


@pytest.mark.contract("Messages and blocks 16")
def test_restored_blocks_are_events_parents_first(api: Api) -> None:
    parent = add(api, "parent")
    first = add(api, "first", parent_block_id=parent["block_id"])
    add(api, "second", parent_block_id=parent["block_id"])
    add(api, "inner", parent_block_id=first["block_id"])
    delete(api, parent)
    stranger = api.new_integration()["key"]

    async def run() -> tuple[list[Json], list[str]]:
        async with streams(listen(api.url, api.organization_key), listen(api.url, stranger)) as [stream, other]:
            await asyncio.to_thread(restore, api, parent)
            await asyncio.to_thread(add, api, "end")
            await stream.until("block.created", content={"text": "end"})
            return [event.data for event in stream.events if event.kind == "block.created"], other.kinds()

    blocks, others = asyncio.run(run())
    assert others == ["hello"]
    assert [each["content"]["text"] for each in blocks] == ["parent", "first", "inner", "second", "end"]
    listed = api.person.get(f"/v2/rooms/{api.room_id}/blocks").json()["blocks"]
    assert blocks == listed
