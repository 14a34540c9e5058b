"""Markdown that nests too deeply is rejected everywhere except in imports, which show it as it was typed."""

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Api
from tests.contract.tour import assert_problem
from tests.imports.export import history, one_day, run_import, slack_message

DEEP = [">" * 3000, "- " * 900, "*_" * 900]


@pytest.mark.parametrize("deep", DEEP)
def test_markdown_that_nests_too_deeply_is_rejected_and_its_field_named(api: Api, deep: str) -> None:
    url = api.person.post(f"/v2/rooms/{api.room_id}/incoming-webhooks", json={"name": "tool"}).json()["url"]
    message = api.send("> fine")
    own = f"{api.messages}/{message['message_id']}"
    block: dict[str, Any] = {"type": "quote", "content": {"text": deep}}
    listed: dict[str, Any] = {"type": "list", "content": {"items": ["fine", deep[:2000]]}}
    for answer, pointer in (
        (api.person.post(api.messages, json={"text": deep}), "/text"),
        (api.person.post(api.messages, json={"blocks": [{"type": "divider"}, block]}), "/blocks/1"),
        (api.person.post(api.messages, json={"blocks": [listed]}), "/blocks/0"),
        (api.person.patch(own, json={"text": deep}), "/text"),
        (api.person.patch(own, json={"blocks": [block]}), "/blocks/0"),
        (api.person.post(f"/v2/rooms/{api.room_id}/blocks", json=block), "/content"),
    ):
        assert assert_problem(answer, 400)["errors"][0]["pointer"] == pointer
    incoming = api.client(None).post(url, json={"attachments": [{"text": deep}]})
    if deep.startswith(">"):  # a quote in Slack, too
        assert assert_problem(incoming, 400)["errors"][0]["pointer"] == "/text"
    else:
        assert incoming.status_code == 200, "marks that mean nothing in Slack are escaped"
    assert api.person.get(own).json() == message
    code = {"type": "code", "content": {"text": deep}}
    assert api.person.post(api.messages, json={"blocks": [code]}).status_code == 201, "code is no Markdown"


def test_an_import_escapes_markdown_that_nests_too_deeply(api: Api, tmp_path: Path) -> None:
    imported = run_import(
        api, one_day(tmp_path / "a.zip", [slack_message(1, "- " * 900 + "x"), slack_message(2, "on")])
    )
    assert imported.summary["messages"] == (2, 0)
    assert [each["text"] for each in history(api)] == ["\\" + "- " * 900 + "x", "on"]
