"""Deleted blocks can be restored for a day, with their files (docs/contract.md#messages-and-blocks)."""

from typing import Any
from uuid import uuid4

import pytest

from tests.attachments.files import picture
from tests.blocks.changing import URL, add, change, delete, outline, page, restore
from tests.conftest import Api
from tests.contract.tour import assert_problem

AGE = "update deleted_blocks set deleted_at = deleted_at - interval '25 hours' where room_id = $1::text::uuid"


def add_picture(api: Api, **more: Any) -> dict[str, Any]:
    made = api.person.post(f"/v2/rooms/{api.room_id}/attachments?name=plan.png", content=picture(40, 30)).json()
    content = {"url": URL, "attachment_id": made["attachment_id"], **more}
    return add(api, type="image", content=content)


@pytest.mark.contract("Messages and blocks 14")
def test_a_restored_block_has_its_place_and_what_was_under_it(api: Api) -> None:
    a, b, c = (add(api, name) for name in "abc")
    inner = add(api, "1", parent_block_id=b["block_id"])
    add(api, "2", parent_block_id=b["block_id"])
    add(api, "3", parent_block_id=inner["block_id"])
    before = page(api)
    delete(api, b)
    restored = restore(api, b)
    assert (restored.status_code, restored.json()) == (201, {**b, "version": 2})
    assert [{**each, "version": 1} for each in page(api)] == before
    assert outline(api) == ["a", "b", "b1", "b13", "b2", "c"]
    delete(api, b)
    delete(api, a)
    delete(api, c)
    assert restore(api, b).json()["position"] == 0


@pytest.mark.contract("Messages and blocks 14")
def test_a_block_whose_parent_is_gone_is_restored_at_the_end(api: Api) -> None:
    a = add(api, "a")
    inner = add(api, "1", parent_block_id=a["block_id"])
    add(api, "b")
    delete(api, inner)
    delete(api, a)
    assert restore(api, inner).json()["parent_block_id"] is None
    assert outline(api) == ["b", "1"]
    assert restore(api, a).status_code == 201
    assert outline(api) == ["a", "b", "1"]


@pytest.mark.contract("Messages and blocks 14")
def test_only_the_block_that_was_deleted_can_be_restored_and_only_for_a_day(api: Api) -> None:
    a = add(api, "a")
    inner = add(api, "1", parent_block_id=a["block_id"])
    for block in (a, {"block_id": str(uuid4())}):
        assert assert_problem(restore(api, block), 404)["code"] == "block_not_found"
    delete(api, a)
    assert assert_problem(restore(api, inner), 404)["code"] == "block_not_found"
    api.sql(AGE, api.room_id)
    assert assert_problem(restore(api, a), 404)["code"] == "block_not_found"


@pytest.mark.contract("Messages and blocks 14")
def test_a_block_is_not_restored_deeper_than_fifty_levels(api: Api) -> None:
    parent = add(api, "a")
    inner = add(api, "1", parent_block_id=parent["block_id"])
    add(api, "2", parent_block_id=inner["block_id"])
    delete(api, inner)
    under: str | None = None
    for _ in range(49):
        under = add(api, "x", parent_block_id=under)["block_id"]
    change(api, parent, parent_block_id=under)
    assert assert_problem(restore(api, inner), 409)["code"] == "blocks_too_deep"


@pytest.mark.contract("Messages and blocks 15")
def test_a_file_on_a_page_is_shown_to_all_who_can_read_the_room(api: Api) -> None:
    block = add_picture(api, alt="A plan")
    file = f"/v2/attachments/{block['content']['attachment_id']}/content"
    _, key = api.new_person()
    assert api.client(key).get(file).status_code == 200
    assert block["content"].keys() == {"url", "alt", "caption", "attachment_id"}
    assert change(api, block, content={**block["content"], "caption": "Ours"})["content"]["caption"] == "Ours"


@pytest.mark.contract("Messages and blocks 15")
def test_a_file_is_used_once_and_only_by_its_uploader(api: Api, outsider: Api) -> None:
    used = add_picture(api)["content"]
    elsewhere = outsider.person.post(f"/v2/rooms/{outsider.room_id}/attachments", content=picture(4, 3)).json()
    other = api.client(api.new_integration([{"space_id": api.space_id, "role": "member"}])["key"])
    theirs = other.post(f"/v2/rooms/{api.room_id}/attachments", content=picture(4, 3)).json()
    for attachment_id in (used["attachment_id"], elsewhere["attachment_id"], theirs["attachment_id"], str(uuid4())):
        body = {"type": "file", "content": {"url": URL, "attachment_id": attachment_id}}
        answer = api.person.post(f"/v2/rooms/{api.room_id}/blocks", json=body)
        assert assert_problem(answer, 400)["errors"][0]["pointer"] == "/content/attachment_id"
    message = api.person.post(api.messages, json={"text": "x", "attachments": [used["attachment_id"]]})
    assert assert_problem(message, 400)["code"] == "attachment_unusable"


@pytest.mark.contract("Messages and blocks 15")
def test_a_block_that_shows_another_file_gives_up_the_former(api: Api) -> None:
    block = add_picture(api)
    change(api, block, content={"url": URL})
    rows = api.sql("select block_id from attachments where room_id = $1::text::uuid", api.room_id)
    assert [row["block_id"] for row in rows] == [None]
    assert change(api, block, content=block["content"])["content"] == block["content"]
