"""Add, change, delete and restore the blocks of a page."""

from typing import Any

from tests.conftest import Api

URL = "https://example.org/a.png"


def add(api: Api, text: str = "x", **fields: Any) -> dict[str, Any]:
    body = {"type": "paragraph", "content": {"text": text}, **fields}
    made = api.person.post(f"/v2/rooms/{api.room_id}/blocks", json=body)
    assert made.status_code == 201, made.text
    return dict(made.json())


def change(api: Api, block: dict[str, Any], **fields: Any) -> dict[str, Any]:
    now = api.person.get(f"/v2/blocks/{block['block_id']}").json()
    answer = api.person.patch(f"/v2/blocks/{block['block_id']}", json={"version": now["version"], **fields})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def page(api: Api) -> list[dict[str, Any]]:
    answer = api.person.get(f"/v2/rooms/{api.room_id}/blocks", params={"limit": 200})
    assert answer.status_code == 200
    return list(answer.json()["blocks"])


def outline(api: Api) -> list[str]:
    """Return the page in reading order; a child has its parent's text before it."""
    blocks = page(api)
    names: dict[str | None, str] = {None: ""}
    for each in blocks:
        names[each["block_id"]] = names[each["parent_block_id"]] + each["content"]["text"]
    siblings: dict[str | None, list[int]] = {}
    for each in blocks:
        siblings.setdefault(each["parent_block_id"], []).append(each["position"])
    assert all(positions == list(range(len(positions))) for positions in siblings.values()), siblings
    return [names[each["block_id"]] for each in blocks]


def delete(api: Api, block: dict[str, Any]) -> None:
    assert api.person.delete(f"/v2/blocks/{block['block_id']}").status_code == 204


def restore(api: Api, block: dict[str, Any]) -> Any:
    return api.person.post(f"/v2/rooms/{api.room_id}/deleted-blocks/{block['block_id']}")
