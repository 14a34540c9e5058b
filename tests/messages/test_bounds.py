"""The maximum size of messages and pages, on every route that writes."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import asyncpg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from atrium.messages.limits import MAX_BYTES, content_bytes
from tests.conftest import Api
from tests.contract.tour import assert_problem
from tests.messages.walk import ids_of, messages_of, next_query, walk

PAGE = 1 << 20
RENDERED = "select octet_length(rendered) as size from messages where message_id = $1::text::uuid"
PUT = """
insert into messages (room_id, message_id, user_id, sender_type, text, thread_root_id, parent_id, sent_at)
select $1::text::uuid, id_at(((extract(epoch from now()) * 1000)::bigint << 12) + nr), $2::text::uuid, 'person',
       repeat('x', size), $4::text::uuid, $4::text::uuid, now()
from unnest($3::int[]) with ordinality as sizes (size, nr) returning message_id::text
"""
CONTENT = st.fixed_dictionaries(
    {
        "text": st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=50),
        "items": st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])), max_size=5),
    }
)


def paragraphs(characters: int, character: str = "x") -> list[dict[str, Any]]:
    """Return blocks with `characters` characters in total."""
    sizes = [min(40_000, characters - at) for at in range(0, characters, 40_000)]
    return [{"type": "paragraph", "content": {"text": character * size}} for size in sizes]


def put(api: Api, sizes: list[int], root: str | None = None) -> list[str]:
    """Insert messages with texts of these sizes, as stored before the limit existed."""
    return [row["message_id"] for row in api.sql(PUT, api.room_id, api.person_id, sizes, root)]


@pytest.mark.contract("Messages and blocks 17")
@pytest.mark.parametrize(
    "body",
    [
        {"text": "𝄞" * 40_000},
        {"text": "\x01" * 40_000},
        {"blocks": paragraphs(140_000)},
        {"blocks": [{"type": "list", "content": {"items": [""] * 500}}] * 70},
        {"text": "x", "blocks": paragraphs(60_000, "字")},
    ],
    ids=["four bytes each", "six bytes each", "blocks", "many small items", "blocks of three bytes each"],
)
def test_a_message_that_is_too_large_is_rejected_on_every_route(api: Api, body: dict[str, Any]) -> None:
    assert assert_problem(api.person.post(api.messages, json=body), 413)["code"] == "message_too_large"
    message = api.send()
    edit = api.person.patch(f"{api.messages}/{message['message_id']}", json=body)
    assert assert_problem(edit, 413)["code"] == "message_too_large"
    assert messages_of(walk(api.person, api.room_id)) == [message]


@pytest.mark.contract("Messages and blocks 17")
def test_an_incoming_webhook_rejects_content_beyond_the_bounds_of_a_message(api: Api) -> None:
    url = api.person.post(f"/v2/rooms/{api.room_id}/incoming-webhooks", json={"name": "tool"}).json()["url"]
    section = {"type": "section", "text": {"type": "plain_text", "text": "x" * 40_000}}
    refused = api.client(None).post(url, json={"blocks": [section] * 4})
    assert assert_problem(refused, 413)["code"] == "message_too_large"
    assert api.client(None).post(url, json={"blocks": [section] * 3}).text == "ok"


@pytest.mark.contract("Messages and blocks 17")
def test_the_largest_text_of_every_language_is_accepted(api: Api) -> None:
    sent = api.send("字" * 40_000)
    assert sent["text"] == "字" * 40_000
    assert api.sql(RENDERED, sent["message_id"])[0]["size"] <= MAX_BYTES


@pytest.mark.contract("Messages and blocks 17")
def test_the_bound_is_exact_to_the_byte(api: Api) -> None:
    empty = {"type": "code", "content": {"text": "", "language": ""}}
    of_content = (128 << 10) - 1024  # the rest holds ids, times and counts
    spare = of_content - content_bytes("", json.dumps([empty] * 4))
    blocks = [{"type": "code", "content": {"text": "x" * 40_000}}] * 3
    last = spare - 120_000
    fits = [*blocks, {"type": "code", "content": {"text": "x" * last}}]
    sent = api.person.post(api.messages, json={"blocks": fits})
    assert sent.status_code == 201, sent.text
    assert MAX_BYTES - 1024 < api.sql(RENDERED, sent.json()["message_id"])[0]["size"] <= MAX_BYTES
    over = [*blocks, {"type": "code", "content": {"text": "x" * (last + 1)}}]
    assert_problem(api.person.post(api.messages, json={"blocks": over}), 413)


@pytest.mark.contract("Messages and blocks 17")
def test_reactions_never_make_a_message_too_large(api: Api) -> None:
    message = api.send("字" * 40_000)
    crowd = json.dumps([{"emoji": "+1", "user_ids": [str(uuid4()) for _ in range(255)]}])
    api.sql("update messages set reactions = $2 where message_id = $1::text::uuid", message["message_id"], crowd)
    path = f"{api.messages}/{message['message_id']}/reactions"
    answers = [api.person.put(f"{path}/e{nr}") for nr in range(8)]
    assert assert_problem(answers[-1], 413)["code"] == "message_too_large"
    assert api.sql(RENDERED, message["message_id"])[0]["size"] <= MAX_BYTES
    assert api.person.delete(f"{path}/e0").status_code == 204


@given(content=CONTENT)
def test_bytes_are_counted_as_the_database_renders_them(database: "Renders", content: dict[str, Any]) -> None:
    text, blocks = content["text"], json.dumps([content], ensure_ascii=False, separators=(",", ":"))
    assert content_bytes(text, blocks) == database.size(text, blocks)


class Renders:
    """Ask the database for the size of a text and blocks as it renders them."""

    def __init__(self, url: str | None) -> None:
        self._runner = asyncio.Runner()
        self._db = self._runner.run(asyncpg.connect(url))

    def size(self, text: str, blocks: str) -> int:
        statement = "select octet_length(to_json($1::text)::text) + octet_length($2::jsonb::text)"
        return int(self._runner.run(self._db.fetchval(statement, text, blocks)))

    def close(self) -> None:
        self._runner.run(self._db.close())
        self._runner.close()


@pytest.fixture(scope="module")
def database(settings: Any) -> Iterator[Renders]:
    made = Renders(settings.database_url)
    yield made
    made.close()


@pytest.mark.contract("Messages and blocks 18")
@pytest.mark.parametrize("top_level", ["false", "true"])
def test_a_page_of_large_messages_ends_early_and_reports_that_more_follow(api: Api, top_level: str) -> None:
    sizes = [120_000] * 30 + [10] * 60 + [9_000, 2_000_000, 10, 1_200_000] + [10] * 20
    sent = put(api, sizes)[::-1]
    steps = list(walk(api.person, api.room_id, limit=200, top_level=top_level))
    assert [each["message_id"] for each in messages_of(iter(steps))] == sent
    for _, page in steps:
        texts = [len(each["text"]) for each in page["messages"]]
        assert len(texts) == 1 or sum(texts) < PAGE, "no more bytes than there may be, or one message"
        following = next_query(page, "1970-01-01T00:00:00Z")
        assert page["shard_has_more"] == (page["messages"][-1]["message_id"] != sent[-1]), following
    assert len(steps) < 25, "no page is much smaller than it has to be"
    again = api.person.get(api.messages, params={"limit": 200, "top_level": top_level}).json()
    assert again == steps[0][1], "also where the process gives out what it has kept"


@pytest.mark.contract("Messages and blocks 18")
def test_a_page_of_a_thread_ends_early_and_reports_that_more_follow(api: Api) -> None:
    root = api.send()["message_id"]
    sent = put(api, [10] * 30 + [100_000] * 20 + [1_500_000] + [10] * 5, root)
    found, cursor, more = list[str](), dict[str, str](), True
    while more:
        page = api.person.get(f"/v2/rooms/{api.room_id}/threads/{root}/messages", params={"limit": 200} | cursor).json()
        assert len(page["messages"]) == 1 or sum(len(each["text"]) for each in page["messages"]) < PAGE
        found += ids_of(page)
        more = page["has_more"]
        assert more == (found[-1] != sent[-1])
        cursor = {"cursor_sent_at": page["next_cursor_sent_at"], "cursor_message_id": page["next_cursor_message_id"]}
    assert found == sent
