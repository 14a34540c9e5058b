"""The maximum size of a block and of a page of blocks, and how deeply blocks nest."""

from typing import Any

import pytest

from tests.blocks.changing import add, outline
from tests.conftest import Api
from tests.contract.tour import assert_problem

PAGE = 1 << 20
OF_OLD = """
insert into blocks (room_id, block_id, position, type, content, version, created_by, created_at, updated_at)
select $1::text::uuid, gen_random_uuid(), nr, 'paragraph', jsonb_build_object('text', repeat('x', $3)), 1,
       $2::text::uuid, now(), now()
from generate_series(0, $4 - 1) nr
"""
NESTED = """
insert into blocks (room_id, block_id, parent_block_id, position, type, content, version, created_by, created_at,
                    updated_at)
select $1::text::uuid, md5(nr::text || $1)::uuid, case when nr > 1 then md5((nr - 1)::text || $1)::uuid end, 0,
       'paragraph', '{"text": "x"}', 1, $2::text::uuid, now(), now()
from generate_series(1, $3) nr returning block_id::text
"""


@pytest.mark.contract("Messages and blocks 22")
@pytest.mark.parametrize("content", [{"items": ["x" * 300] * 450}, {"items": ["字" * 100] * 450}])
def test_a_block_that_is_too_large_is_rejected(api: Api, content: Any) -> None:
    path = f"/v2/rooms/{api.room_id}/blocks"
    refused = api.person.post(path, json={"type": "list", "content": content})
    assert assert_problem(refused, 413)["code"] == "block_too_large"
    block = add(api, type="list", content={"items": ["x" * 250] * 500})
    patched = api.person.patch(f"/v2/blocks/{block['block_id']}", json={"version": 1, "content": content})
    assert assert_problem(patched, 413)["code"] == "block_too_large"


@pytest.mark.contract("Messages and blocks 22")
@pytest.mark.parametrize(("size", "limit", "pages"), [(100_000, 50, 3), (1_100_000, 50, 25), (10, 10, 3)])
def test_a_page_of_large_blocks_ends_early_and_reports_that_more_follow(
    api: Api, size: int, limit: int, pages: int
) -> None:
    api.sql(OF_OLD, api.room_id, api.person_id, size, 25)
    path, found, count, cursor = f"/v2/rooms/{api.room_id}/blocks", list[int](), 0, dict[str, str]()
    while cursor or not count:
        page = api.person.get(path, params={"limit": limit} | cursor).json()
        assert sum(len(each["content"]["text"]) for each in page["blocks"]) <= PAGE + size
        found += [each["position"] for each in page["blocks"]]
        count, cursor = count + 1, {"cursor": page["next_cursor"]} if page["next_cursor"] else {}
    assert (found, count) == (list(range(25)), pages)


@pytest.mark.contract("Messages and blocks 22")
def test_blocks_nest_at_most_fifty_deep(api: Api) -> None:
    levels = [row["block_id"] for row in api.sql(NESTED, api.room_id, api.person_id, 49)]
    deepest = add(api, parent_block_id=levels[48])
    path = f"/v2/rooms/{api.room_id}/blocks"
    body = {"type": "paragraph", "content": {"text": "x"}, "parent_block_id": deepest["block_id"]}
    assert assert_problem(api.person.post(path, json=body), 409)["code"] == "blocks_too_deep"
    pair = add(api, "a")
    add(api, "b", parent_block_id=pair["block_id"])
    for parent, status in ((levels[48], 409), (levels[47], 200)):
        moved = api.person.patch(f"/v2/blocks/{pair['block_id']}", json={"version": 1, "parent_block_id": parent})
        assert moved.status_code == status, moved.text
    assert len(outline(api)) == 52
