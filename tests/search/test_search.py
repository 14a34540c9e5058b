"""Search over HTTP: words, operators, pages, excerpts."""

import time
from typing import Any

import pytest

from tests.conftest import Api
from tests.contract.tour import assert_problem
from tests.search.harness import find, search, send_all, texts, wait_until_indexed

Json = dict[str, Any]


def test_a_result_has_its_message_room_and_sender(api: Api) -> None:
    root = api.send("about the engine")
    reply = api.send("the <b>Engine</b> & more", parent_id=root["message_id"])
    wait_until_indexed(api)
    first, second = search(api, "engine more or engine")["results"]
    assert {first["message_id"], second["message_id"]} == {root["message_id"], reply["message_id"]}
    hit = next(result for result in (first, second) if result["message_id"] == reply["message_id"])
    room = api.person.get(f"/v2/rooms/{api.room_id}").json()
    assert hit["type"] == "message"
    assert (hit["room_id"], hit["room_name"], hit["space_id"]) == (api.room_id, room["name"], api.space_id)
    assert (hit["user_id"], hit["sender_name"], hit["sender_type"]) == (api.person_id, "Ada", "person")
    assert hit["thread_root_id"] == root["message_id"]
    assert hit["sent_at"] == reply["sent_at"]
    assert hit["edited_at"] is None
    assert hit["excerpt"] == {"text": "the <b>Engine</b> & more", "highlights": [[7, 13], [20, 24]]}


def test_every_word_must_match_and_the_last_may_be_a_prefix(api: Api) -> None:
    send_all(api, "analytical engine", "analytical paper", "engine room")
    assert texts(api, "engine analytical ") == {"analytical engine"}
    assert texts(api, "engi") == {"analytical engine", "engine room"}
    assert texts(api, "engi ") == set()
    assert texts(api, "analytical engi") == {"analytical engine"}


@pytest.mark.contract("Search and unread state 6")
def test_quotes_minus_and_or_work_together(api: Api) -> None:
    send_all(api, "big red engine", "red big engine", "engines are big", "a small boat")
    assert texts(api, '"big red"') == {"big red engine"}
    assert texts(api, "engine -red") == {"engines are big"}
    assert texts(api, '"engine"') == {"big red engine", "red big engine"}
    assert texts(api, 'engine -"big red"') == {"red big engine", "engines are big"}
    assert texts(api, "boat or red") == {"big red engine", "red big engine", "a small boat"}
    assert texts(api, "-engine from:me") == {"a small boat"}


def test_stop_words_are_searched_only_alone_or_quoted(api: Api) -> None:
    send_all(api, "install it how", "install racket", "how")
    assert texts(api, "how to install ") == {"install it how", "install racket"}
    assert texts(api, "how ") == {"install it how", "how"}
    assert texts(api, '"how" install') == {"install it how"}


@pytest.mark.contract("Search and unread state 6")
def test_in_names_a_room_or_a_space_by_name_or_id(api: Api) -> None:
    room = api.new_room(name="Señor Plans")
    space_id = api.new_space()
    other = api.new_room(space_id)["room_id"]
    for room_id, text in ((api.room_id, "first word"), (room["room_id"], "second word"), (other, "third word")):
        assert api.person.post(f"/v2/rooms/{room_id}/messages", json={"text": text}).status_code == 201
    wait_until_indexed(api)
    assert texts(api, 'in:"senor plans" word') == {"second word"}
    assert texts(api, f"in:{room['room_id']} word") == {"second word"}
    assert texts(api, f"word in:{space_id}") == {"third word"}
    assert texts(api, "in:space word") == {"third word"}
    assert texts(api, f"in:{space_id} in:{api.room_id} word") == {"first word", "third word"}
    assert texts(api, "in:nowhere word") == set()
    assert texts(api, f"in:{other}") == {"third word"}


@pytest.mark.contract("Search and unread state 6")
def test_from_names_a_sender_by_name_address_id_or_me(api: Api) -> None:
    person_id, key = api.new_person(email=f"grace.hopper.{time.time_ns()}@example.org")
    grace = api.client(key)
    profile = grace.get("/v1/me/profile").json()
    made = api.new_integration([{"space_id": api.space_id, "role": "member"}])
    for client in (grace, api.client(made["key"]), api.person):
        assert client.post(api.messages, json={"text": f"word {client is grace}"}).status_code == 201
    wait_until_indexed(api)
    for name in ("grace", '"grace hopper"', profile["email"], profile["email"].upper(), person_id):
        assert texts(api, f"from:{name} word") == {"word True"}, name
    assert texts(api, "from:me word", grace) == {"word True"}
    assert len(find(api, "from:another word")) == 1
    assert len(find(api, "from:grace from:another from:ada word")) == 3
    assert find(api, "from:nobody word") == []
    assert find(api, "from:gra word") == []


@pytest.mark.contract("Search and unread state 6")
def test_dates_limit_when_it_was_sent(api: Api) -> None:
    message = api.send("word")
    day, moment = message["sent_at"][:10], message["sent_at"]
    wait_until_indexed(api)
    for q, expected in (
        (f"on:{day}", True),
        (f"before:{day}", False),
        (f"after:{day}", False),
        ("after:2020-01-01", True),
        ("before:2020-01-01", False),
        (f"after:{moment}", False),
        (f"before:{moment}", False),
        ("before:2100-01-01", True),
        (f"word on:{day} after:2020-01-01 before:2100-01-01", True),
        ("after:1960-01-01", True),
    ):
        assert bool(find(api, q)) is expected, q


@pytest.mark.contract("Search and unread state 8")
@pytest.mark.parametrize("operator", ["before", "after", "on"])
def test_an_invalid_date_is_rejected_with_an_explanation(api: Api, operator: str) -> None:
    answer = api.person.get(f"/v2/organizations/{api.organization_id}/search", params={"q": f"x {operator}:someday"})
    problem = assert_problem(answer, 400)
    assert problem["errors"][0]["parameter"] == "q"
    assert f"{operator}:someday is not a date" in problem["detail"]


@pytest.mark.contract("Search and unread state 6")
def test_has_selects_by_content_reactions_and_replies(api: Api) -> None:
    api.send("see https://example.org/page")
    api.send("plain")
    api.send("run `make`")
    api.send("todo", blocks=[{"type": "todo", "content": {"items": [{"text": "buy tea"}]}}])
    api.send("file", blocks=[{"type": "file", "content": {"url": "https://example.org/f"}}])
    liked, root = api.send("liked"), api.send("root")
    api.person.put(f"{api.messages}/{liked['message_id']}/reactions/+1")
    api.send("reply", parent_id=root["message_id"])
    wait_until_indexed(api)
    link, file = "see https://example.org/page", "file\nhttps://example.org/f"
    for fact, expected in {
        "link": {link, file},
        "code": {"run `make`"},
        "block": {"todo\nbuy tea", file},
        "todo": {"todo\nbuy tea"},
        "attachment": {file},
        "file": {file},
        "reaction": {"liked"},
        "thread": {"root", "reply"},
        "image": set(),
    }.items():
        assert texts(api, f"has:{fact}") == expected, fact
    assert texts(api, "has:thread root ") == {"root"}
    assert texts(api, "has:block has:link") == {file}
    assert_problem(api.person.get(f"/v2/organizations/{api.organization_id}/search?q=has:fun"), 400)


@pytest.mark.contract("Search and unread state 12")
def test_the_text_of_blocks_is_found(api: Api) -> None:
    api.send("", blocks=[{"type": "heading", "content": {"text": "Quarterly zeugma"}}])
    api.send("", blocks=[{"type": "list", "content": {"items": ["apples", "zeugmata"]}}])
    wait_until_indexed(api)
    assert texts(api, "zeugma") == {"Quarterly zeugma", "apples\nzeugmata"}


@pytest.mark.contract("Search and unread state 8")
def test_an_unknown_operator_is_searched_as_words(api: Api) -> None:
    send_all(api, "price to:market", "to market", "market to")
    assert texts(api, "to:market ") == {"price to:market", "to market"}


@pytest.mark.contract("Search and unread state 3")
def test_better_hits_come_first_and_then_newer_ones(api: Api) -> None:
    long = "engine " + "and very much more about other things " * 10
    send_all(api, long, "engine engine engine", "tender", "tender", "engine of a tender", "engines")
    assert search(api, "engine ")["results"][0]["excerpt"]["text"] == "engine engine engine"
    assert find(api, "engine ")[-1] == find(api, '"very much more"')[0]
    twins = [r for r in search(api, "tender ")["results"] if r["excerpt"]["text"] == "tender"]
    assert twins[0]["score"] == twins[1]["score"]
    assert twins[0]["message_id"] > twins[1]["message_id"]


def test_words_close_together_come_before_words_far_apart(api: Api) -> None:
    between = " ".join(f"w{n}" for n in range(60))
    send_all(api, f"red {between} engine", f"red engine {between}")
    assert search(api, "red engine ")["results"][0]["excerpt"]["text"].startswith("red engine")


@pytest.mark.contract("Search and unread state 3")
def test_pages_contain_each_hit_once(api: Api) -> None:
    send_all(api, *(f"common {'word ' * (n % 4)}" for n in range(23)))
    every = find(api, "common ")
    walked, cursor = list[str](), None
    for _ in range(20):
        page = search(api, "common ", limit=4, **({"cursor": cursor} if cursor else {}))
        walked += [result["message_id"] for result in page["results"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert walked == every
    assert len(set(walked)) == 23


@pytest.mark.contract("Search and unread state 4", "Search and unread state 5")
def test_the_newest_come_first_on_request_and_the_first_page_counts_all(api: Api) -> None:
    send_all(api, "tea tea tea", "tea", "coffee", "tea and much more of other things")
    best, newest = search(api, "tea ", limit=2), search(api, "tea ", limit=2, order="newest")
    assert newest["results"][0]["excerpt"]["text"].startswith("tea and much")
    assert best["results"][0]["excerpt"]["text"] == "tea tea tea"
    assert {result["score"] for result in newest["results"]} == {0}
    assert [(page["count"], page["capped"]) for page in (best, newest)] == [(3, False), (3, False)]
    for order, page in (("best", best), ("newest", newest)):
        rest = search(api, "tea ", limit=2, order=order, cursor=page["next_cursor"])
        assert {each["message_id"] for each in (*page["results"], *rest["results"])} == set(find(api, "tea "))
        assert (rest["next_cursor"], rest["count"], rest["capped"]) == (None, None, False)
    assert (search(api, "tea from:nobody")["count"], search(api, "?!")["count"]) == (0, 0)
    path = f"/v2/organizations/{api.organization_id}/search?q=tea"
    for query in (f"&order=newest&cursor={best['next_cursor']}", f"&cursor={newest['next_cursor']}", "&order=oldest"):
        assert_problem(api.person.get(path + query), 400)


def test_a_query_of_punctuation_finds_nothing_and_an_empty_one_is_rejected(api: Api) -> None:
    send_all(api, "word")
    assert find(api, "?!") == []
    path = f"/v2/organizations/{api.organization_id}/search"
    for query in ("", "?q=", f"?q={'x' * 1001}", "?q=x&cursor=abc", "?q=x&limit=201", "?q=%00"):
        assert_problem(api.person.get(path + query), 400)
