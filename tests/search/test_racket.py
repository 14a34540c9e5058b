"""Search in a real history."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.imports.conftest import Racket, command
from tests.imports.export import summary_of
from tests.search.harness import find, search, wait_until_indexed


@pytest.fixture(scope="module", autouse=True)
def wait_for_index(racket: Racket) -> None:
    wait_until_indexed(racket.api)


def walk(racket: Racket, q: str, **query: Any) -> list[dict[str, Any]]:
    results, cursor = list[dict[str, Any]](), None
    while True:
        page = search(racket.api, q, limit=200, **query, **({"cursor": cursor} if cursor else {}))
        results += page["results"]
        cursor = page["next_cursor"]
        if cursor is None:
            return results


def messages_with(racket: Racket, pattern: str) -> set[str]:
    rows = racket.api.sql("select message_id, text from messages where room_id = $1", racket.room_id)
    return {str(row["message_id"]) for row in rows if re.search(pattern, row["text"], re.I)}


@pytest.mark.contract("Search and unread state 3", "Search and unread state 4", "Search and unread state 5")
@pytest.mark.parametrize("word", ["hygienic", "chez", "typed", "the"])
def test_a_quoted_word_is_found_exactly_where_it_occurs(racket: Racket, word: str) -> None:
    results = walk(racket, f'"{word}"')
    ids = [result["message_id"] for result in results]
    assert len(set(ids)) == len(ids)
    assert set(ids) == messages_with(racket, rf"(?<![^\W_]){word}(?![^\W_])")
    assert [(-result["score"], result["message_id"]) for result in results] == sorted(
        ((-result["score"], result["message_id"]) for result in results),
        key=lambda key: (key[0], -int(key[1].replace("-", ""), 16)),
    )
    newest = [result["message_id"] for result in walk(racket, f'"{word}"', order="newest")]
    assert newest == sorted(ids, reverse=True)
    first = search(racket.api, f'"{word}"', limit=1)
    assert (first["count"], first["capped"]) == (min(len(ids), 1000), len(ids) > 1000)


@pytest.mark.parametrize(
    ("q", "pattern"),
    [
        ("hygienic macro expander ", "hygienic macro expander"),
        ("syntax parse ", "syntax.{0,3}parse"),
        ("typed racket performance ", r"typed racket.*performance|performance.*typed racket"),
    ],
)
def test_the_first_hit_is_about_the_query(racket: Racket, q: str, pattern: str) -> None:
    close = messages_with(racket, f"(?s){pattern}")
    assert find(racket.api, q)[0] in close


def test_every_hit_contains_and_highlights_the_words_in_some_form(racket: Racket) -> None:
    for result in walk(racket, "contracts performance "):
        excerpt = result["excerpt"]
        shown = {excerpt["text"][low:high].lower() for low, high in excerpt["highlights"]}
        assert shown
        assert all(word.startswith(("contract", "perform")) for word in shown), shown


def test_operators_narrow_a_real_history(racket: Racket) -> None:
    everything = walk(racket, "macro ")
    sender = everything[0]["user_id"]
    theirs = walk(racket, f"macro from:{sender}")
    assert {r["message_id"] for r in theirs} == {r["message_id"] for r in everything if r["user_id"] == sender}
    early = walk(racket, "macro before:2018-01-01")
    assert {r["message_id"] for r in early} == {r["message_id"] for r in everything if r["sent_at"] < "2018-01-01"}
    assert {r["message_id"] for r in walk(racket, "on:2018-03-05")} == {
        str(row["message_id"])
        for row in racket.api.sql(
            "select message_id from messages where room_id = $1 and sent_at >= '2018-03-05' and sent_at < '2018-03-06'",
            racket.room_id,
        )
    }


def test_messages_of_a_later_import_are_found(racket: Racket, archive: Path) -> None:
    lost = find(racket.api, "hygienic")[0]
    for table in ("messages", "message_search"):
        racket.api.sql(f"delete from {table} where room_id = $1 and message_id = $2", racket.room_id, lost)
    assert lost not in find(racket.api, "hygienic")
    assert summary_of(command(racket.api, archive))["messages"][0] == 1
    wait_until_indexed(racket.api)
    assert lost in find(racket.api, "hygienic")
