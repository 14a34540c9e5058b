"""The server stores and indexes Markdown without parsing it, so it nests as deeply as someone likes."""

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Api
from tests.imports.export import history, one_day, run_import, slack_message
from tests.search.harness import find, wait_until_indexed


@pytest.mark.contract("Messages and blocks 20")
@pytest.mark.parametrize("marks", [">" * 3000, "- " * 900, "*_" * 900, "[" * 1900, "<b>" * 600])
def test_a_text_that_nests_without_end_is_accepted_read_and_found(api: Api, marks: str, tmp_path: Path) -> None:
    text = f"{marks} deepest"
    block: dict[str, Any] = {"type": "quote", "content": {"text": text}}
    listed: dict[str, Any] = {"type": "list", "content": {"ordered": False, "items": [text[-2000:]]}}
    incoming = api.person.post(f"/v2/rooms/{api.room_id}/incoming-webhooks", json={"name": "tool"}).json()["url"]
    first = api.send(text, blocks=[block, listed])["message_id"]
    own = f"{api.messages}/{api.send('edited')['message_id']}"
    for answer in (
        api.person.patch(own, json={"text": text, "blocks": [block]}),
        api.person.post(f"/v2/rooms/{api.room_id}/blocks", json=block),
        api.client(None).post(incoming, json={"text": text}),
    ):
        assert answer.is_success, answer.text
    run_import(api, one_day(tmp_path / "a.zip", [slack_message(1, text), slack_message(2, "on")]))
    assert [each["text"] for each in history(api)][-1] == "on"
    shown = next(each for each in api.person.get(api.messages).json()["messages"] if each["message_id"] == first)
    assert (shown["text"], shown["blocks"]) == (text, [block, listed])
    wait_until_indexed(api)
    assert first in find(api, "deepest")
