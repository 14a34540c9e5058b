"""Filters by words: which words a text has, that a send costs the same for all filters, and that all answers agree."""

from collections import Counter
from collections.abc import Callable
from sys import setprofile

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from atrium.messages.filter_words import FilterWords, Text, pieces_of
from atrium.search.words import folded_words
from tests.conftest import Api
from tests.contract.tour import subscription
from tests.webhooks.filtering import EDITED, reasons_of, sent_ids
from tests.webhooks.subscribing import bodies, subscribe, webhook


def has(word: str, text: str) -> bool:
    return FilterWords([word]).found_in(Text(text)) == {word}


@pytest.mark.contract("Events and deliveries 11")
@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("障害", "本番で障害が発生しました"),
        ("東京", "東京タワー"),
        ("สวัสดี", "พูดสวัสดีครับ"),
        ("장애", "장애가 발생했습니다"),
        ("故障", "系统故障。"),
        ("GITHUB", "GitHub障害"),
        ("#障害", "至急 #障害"),
        ("ＡＰＩ", "the API"),
        ("カ", "カタカナ"),
        ("cafe", "Café"),
        ("café", "CAFE"),
        ("istanbul", "İSTANBUL"),
        ("STRASSE", "Straße"),
        ("größe", "GRÖSSE"),
        ("C++", "I like C++."),
        ("c", "C++"),
        ("error-42", "(ERROR-42)"),
        ("error", "error-42"),
        ("v2.4", "Deploy of v2.4 is"),
        ("#incident", "(#incident)"),
        ("don't", "I don't"),
        ("foo_bar", "foo_bar!"),
        ("?", "what ?"),
        ("a\\b", 'a\\b "c"'),
        ('"c"', 'a\\b "c"'),
        ("👍", "done👍🏽"),
        ("❤️", "❤"),
        ("👩‍💻", "by 👩‍💻!"),
        ("🇩🇪", "🇩🇪🇫🇷"),
        ("x" * 100, "x" * 100),
        ("<@12345678-1234-1234-1234-123456789abc>", "hi <@12345678-1234-1234-1234-123456789ABC>!"),
    ],
)
def test_a_text_has_a_word(word: str, text: str) -> None:
    assert has(word, text)


@pytest.mark.contract("Events and deliveries 11")
@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("C++", "vitamin C"),
        ("C++", "C++11"),
        ("C++", "C + +"),
        ("foo", "foo_bar"),
        ("foo", "food"),
        ("#incident", "foo#incident"),
        ("v2x4", "v2.4"),
        ("2", "v2.4"),
        ("障害", "障 害"),
        ("障害", "害障"),
        ("京都", "東 京 都"),
        ("🇩🇪", "🇦🇩🇪🇨"),
        ("error-42", "error 42"),
        ("123456789abc", "<@12345678-1234-1234-1234-123456789abc>"),
        ("a|b", "a b"),
        ("\ufe0f", "❤️"),
    ],
)
def test_a_text_does_not_have_a_word(word: str, text: str) -> None:
    assert not has(word, text)


WORDS = st.text(st.sampled_from("abcABC_+#-.!é障害カข한👍İß😀🇩🇪\u0301"), min_size=1, max_size=6)
TEXTS = st.lists(WORDS | st.sampled_from(["error-42", "C++", "障害", " ", "\n"]), max_size=12)


@given(st.lists(WORDS, min_size=1, max_size=8, unique=True), TEXTS, st.sampled_from(["", " "]))
def test_many_words_are_found_as_each_alone(words: list[str], parts: list[str], between: str) -> None:
    text = between.join(parts)
    assert FilterWords(words).found_in(Text(text)) == {word for word in words if has(word, text)}


@given(WORDS, TEXTS)
def test_a_word_that_stands_alone_in_a_text_is_found(word: str, parts: list[str]) -> None:
    assert has(word, f"{' '.join(parts)} {word} {' '.join(parts)}") == bool(pieces_of(word))


@given(TEXTS)
def test_each_word_of_the_search_is_a_word_here(parts: list[str]) -> None:
    text = " ".join(parts).replace("_", " ")
    assert set(folded_words(text)) <= Text(text).words


@pytest.mark.contract("Events and deliveries 12")
@pytest.mark.parametrize("text", ["deploy of C++ failed, see error-42", "本番で障害が発生しました " * 50])
def test_a_text_is_read_as_often_for_ten_words_as_for_ten_thousand(text: str) -> None:
    few, many = (
        FilterWords([f"unsent{nr}-42" if nr % 2 else f"unsent{nr}" for nr in range(count)]) for count in (10, 10_000)
    )
    few.found_in(Text(text))  # the pieces of the text are known from now on
    assert calls(lambda: many.found_in(Text(text))) == calls(lambda: few.found_in(Text(text)))


def calls(act: Callable[[], object]) -> int:
    """Return how many functions are called."""
    seen = Counter[str]()
    setprofile(lambda _frame, event, _argument: seen.update([event]))
    act()
    setprofile(None)
    return seen["call"] + seen["c_call"]


SENT = [
    "本番で障害が発生しました",
    "vitamin C",
    "I like C++.",
    "C++11 はどう?",
    "Café İSTANBUL",
    "error-42 👍🏽",
    "ok",
    "ERROR 42",
]
WANTED = ["障害", "C++", "c", "cafe", "istanbul", "error-42", "👍", "?"]


@pytest.mark.contract("Events and deliveries 11")
def test_a_send_a_preview_and_a_match_agree(api: Api) -> None:
    one = [subscription(api.room_id, filter={"words": [word, "never"]}) for word in WANTED]
    hooks = {word: webhook(api, each) for word, each in zip(WANTED, one, strict=True)}
    several = webhook(api, *one)
    sent = {text: api.send(text) for text in SENT}
    for word, each in zip(WANTED, one, strict=True):
        fitting = [text for text in SENT if has(word, text)]
        assert sent_ids(api, hooks[word]) == [sent[text]["message_id"] for text in fitting], word
        preview = api.person.post(f"{api.organization}/webhook-preview", json={"content": {"subscriptions": [each]}})
        assert preview.json() == {"messages": len(SENT), "chosen": len(fitting)}
    for text, message in sent.items():
        assert reasons_of(api, several, message) == [None if has(word, text) else "words" for word in WANTED]


@pytest.mark.contract("Events and deliveries 11")
def test_edits_are_compared_in_the_same_way(api: Api) -> None:
    one = {**subscription(api.room_id, filter={"words": ["障害", "C++"]}), "subscription_type": EDITED}
    webhook_id, message = webhook(api, one), f"{api.messages}/{api.send('障害')['message_id']}"
    for text in ("vitamin C", "本番で障害が発生", "C++11", "c++"):
        api.person.patch(message, json={"text": text}).raise_for_status()
        api.wait_for_queue()
    assert len(bodies(api, webhook_id)) == 2


@pytest.mark.contract("Events and deliveries 11")
def test_the_next_message_is_compared_with_changed_filters_by_every_process(api: Api) -> None:
    """Also one that was sent there before there were any, or that arrives with many others."""

    def send_many(text: str) -> list[str]:
        return sorted(api.send(f"{text} {nr}")["message_id"] for nr in range(6))

    send_many("one")
    webhook_id = webhook(api, subscription(api.space_id, "SPACE", filter={"words": ["one"]}))
    first = send_many("one")
    changed = {"content": {"subscriptions": [subscription(api.room_id, filter={"words": ["two"]})]}}
    api.person.patch(f"{api.organization}/webhooks/{webhook_id}", json=changed).raise_for_status()
    send_many("one")
    second = send_many("two")
    everything = {"content": {"subscriptions": [subscription(api.room_id)]}}
    api.person.patch(f"{api.organization}/webhooks/{webhook_id}", json=everything).raise_for_status()
    third = send_many("three")
    assert sorted(sent_ids(api, webhook_id)) == sorted([*first, *second, *third])
    assert (
        api.sql("select from filtered_subjects where subject_id = any($1::uuid[])", [api.room_id, api.space_id]) == []
    )
    assert api.sql("select from filter_words where webhook_id = $1::uuid", webhook_id) == []


@pytest.mark.contract("Events and deliveries 11")
def test_messages_of_incoming_webhooks_and_with_files_are_compared_too(api: Api) -> None:
    webhook_id = webhook(api, subscription(api.room_id, filter={"words": ["障害"]}))
    incoming = api.person.post(f"/v2/rooms/{api.room_id}/incoming-webhooks", json={"name": "Alerts"}).json()
    assert httpx.post(incoming["url"], json={"text": "本番で障害"}).is_success
    assert httpx.post(incoming["url"], json={"text": "all is well"}).is_success
    for text in ("障害の記録", "all is well"):
        file = api.person.post(f"/v2/rooms/{api.room_id}/attachments", content=b"log").json()["attachment_id"]
        sent = api.person.post(api.messages, json={"text": text, "attachments": [file]})
        assert sent.status_code == 201
    assert len(bodies(api, webhook_id)) == 2


@pytest.mark.contract("Events and deliveries 11")
def test_a_word_without_anything_to_find_is_refused(api: Api) -> None:
    answer = subscribe(api.person, api, subscription(api.room_id, filter={"words": ["ok", "\ufe0f"]}))
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"] == "/content/subscriptions/0/filter/words/1"
