"""A key that may write and not read gets only its own content in responses."""

import re
from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest

from atrium.kit.http.route import Route
from atrium.kit.text.types import UUID_TEXT
from atrium.permissions import Scope
from tests.conftest import Api
from tests.contract.tour import handler_name, tour
from tests.permissions.callers import Caller, Standing
from tests.permissions.examples import fresh, furnish, request_as
from tests.permissions.narrowing import narrow

WRITTEN = {
    Scope.MESSAGES_WRITE: Scope.MESSAGES_READ,
    Scope.RECORDINGS_WRITE: Scope.RECORDINGS_READ,
    Scope.WEBHOOKS_MANAGE: Scope.WEBHOOKS_READ,
}
TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")
FLAGS = "%F0%9F%9A%A9"
# Their content is in a file that the request uploads.
UPLOADS = {"create_recording", "create_attachment"}


@pytest.mark.contract("Scopes and networks 2")
@pytest.mark.parametrize("scope", WRITTEN)
def test_no_response_to_a_key_that_only_writes_has_content_that_it_did_not_send(api: Api, scope: Scope) -> None:
    world, unknown, count = furnish(api), dict[str, list[str]](), 0
    client = narrow(world.api, scope)
    caller = Caller("super_admin", Standing.HERE)
    for route in tour():
        if route.method == "GET" or route.permission.scope != scope or handler_name(route) in UPLOADS:
            continue
        answer = request_as(world, route, client, fresh(world, route, caller, world.client))
        assert answer.is_success, (handler_name(route), answer.text)
        count += 1
        if answer.content and (found := [*strings_not_sent(route, answer)]):
            unknown[handler_name(route)] = found
    assert count > 3
    assert not unknown


def strings_not_sent(route: Route, answer: httpx.Response) -> Iterator[str]:
    """Return the strings of a response that are no ids, no times, no listed words, and were not sent."""
    request = answer.request
    sent = request.content.decode() + httpx.URL(str(request.url)).path
    listed = str(msgspec.json.schema_components([route.response]))
    for text in strings(answer.json()):
        is_known = UUID_TEXT.fullmatch(text) or TIME.fullmatch(text) or f"'{text}'" in listed
        if text not in sent and not is_known and not text.startswith("whsec_"):
            yield text


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from strings(each)


@pytest.mark.contract("Scopes and networks 2")
def test_a_reaction_does_not_return_a_strangers_message_to_a_key_that_only_writes(api: Api) -> None:
    message = api.client(api.new_person()[1]).post(api.messages, json={"text": "the plan"}).json()
    path = f"{api.messages}/{message['message_id']}/reactions"
    api.person.put(f"{path}/+1")
    answer = narrow(api, Scope.MESSAGES_WRITE).put(f"{path}/{FLAGS}")
    assert answer.status_code == 200
    shown = answer.json()
    assert (shown["message_id"], shown["text"], shown["blocks"]) == (message["message_id"], "", [])
    assert [each["emoji"] for each in shown["reactions"]] == ["🚩"]
    both = narrow(api, Scope.MESSAGES_WRITE, Scope.MESSAGES_READ).put(f"{path}/{FLAGS}").json()
    assert (both["text"], len(both["reactions"])) == ("the plan", 2)


@pytest.mark.contract("Scopes and networks 2")
def test_a_block_that_changed_or_is_restored_is_not_shown_to_a_key_that_only_writes(api: Api) -> None:
    blocks, writing = f"/v2/rooms/{api.room_id}/blocks", narrow(api, Scope.MESSAGES_WRITE)
    block = api.person.post(blocks, json={"type": "paragraph", "content": {"text": "the plan"}}).json()
    path = f"/v2/blocks/{block['block_id']}"
    changed = writing.patch(path, json={"version": 7, "content": {"text": "mine"}})
    assert (changed.status_code, changed.json()["code"]) == (409, "block_changed")
    assert changed.json()["block"]["version"] == 1
    api.person.delete(path)
    restored = writing.post(f"/v2/rooms/{api.room_id}/deleted-blocks/{block['block_id']}")
    assert restored.status_code == 201
    assert "the plan" not in changed.text + restored.text
    assert "the plan" in api.person.get(path).text
