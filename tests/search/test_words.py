"""Texts are split and folded in Python, identically for every PostgreSQL."""

from uuid import UUID

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from atrium.kit.settings import Settings
from atrium.search.documents import MAX_POSITION, Searchable, document_of, facts, searchable_text
from atrium.search.words import MAX_LENGTH, Stemmer, fold, folded_words, words_of

NOWHERE = UUID(int=7)


def words(text: str) -> list[str]:
    return [word.folded for word in words_of(text)]


def message(content: str, *types: str) -> Searchable:
    return Searchable(NOWHERE, NOWHERE, NOWHERE, NOWHERE, content, frozenset(types))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello, World!", ["hello", "world"]),
        ("Größe STRASSE straße", ["grosse", "strasse", "strasse"]),
        ("L’été, déjà vu: œuvre", ["l", "ete", "deja", "vu", "oeuvre"]),
        ("Łódź Ærø", ["lodz", "aero"]),
        ("Всё ещё йод", ["все", "еще", "йод"]),
        ("ΣΊΣΥΦΟΣ", ["σισυφοσ"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("日本語 text", ["日", "本", "語", "text"]),
        ("한국어를", ["한", "국", "어", "를"]),
        ("สวัสดี", ["ส", "วั", "ส", "ดี"]),
        ("ship it 🚀👍🏽 🇫🇷", ["ship", "it", "🚀", "👍", "🇫🇷"]),
        ("read-marker snake_case ada@example.org", ["read", "marker", "snake", "case", "ada", "example", "org"]),
        ("ｆｕｌｌ ﬁne", ["full", "fine"]),
        ("hi <@018f0000-0000-7000-8000-000000000000>!", ["hi"]),
        ("'quoted' \\ & | ! : * ( )", ["quoted"]),
    ],
    ids=[
        "plain",
        "german",
        "french",
        "polish-danish",
        "russian",
        "greek",
        "hindi",
        "japanese",
        "korean",
        "thai",
        "emoji",
        "joined",
        "compatible-forms",
        "mention",
        "signs",
    ],
)
def test_a_text_is_split_into_folded_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@given(st.text())
def test_a_word_has_its_position_and_folding_is_idempotent(text: str) -> None:
    behind = 0
    for word in words_of(text):
        assert behind <= word.start < word.end <= len(text)
        assert word.folded == fold(text[word.start : word.end])
        assert 0 < len(word.folded) <= MAX_LENGTH
        assert fold(word.folded) == word.folded
        behind = word.end
    assert words(text) == folded_words(text)


@given(st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=300))
def test_postgresql_parses_every_document_as_intended(
    database: "psycopg.Connection[tuple[str, ...]]", text: str
) -> None:
    document = document_of(message(text), Stemmer(()))
    row = database.execute("select tsvector_to_array(%s::tsvector)", [document]).fetchone()
    assert row is not None
    lexemes = set(row[0])
    assert {lexeme for lexeme in lexemes if lexeme[0] not in "ROPUHS"} == set(words(text))
    assert {lexeme[0] for lexeme in lexemes} >= set("ROPU")


@pytest.fixture(scope="module")
def database(settings: Settings) -> "psycopg.Connection[tuple[str, ...]]":
    with psycopg.connect(settings.database_url or "", autocommit=True) as db:
        yield db


@pytest.mark.parametrize(
    "content",
    [
        " ".join(f"w{n:x}" for n in range(20_000)),
        "a " * 40_000,
        "x" * 1_000_000,
        "".join(map(chr, range(0x4E00, 0x9F00))) * 2,
    ],
    ids=["many-words", "one-word-often", "one-long-word", "every-han-character"],
)
def test_a_document_of_any_length_fits(database: "psycopg.Connection[tuple[str, ...]]", content: str) -> None:
    row = database.execute("select length(%s::tsvector)", [document_of(message(content), Stemmer(()))]).fetchone()
    assert row is not None and row[0] > 4


def test_positions_beyond_the_last_are_the_last() -> None:
    document = document_of(message("a " * 20_000 + "end"), Stemmer(()))
    assert f"'end':{MAX_POSITION}" in document


def test_blocks_are_searched_with_the_text() -> None:
    blocks = (
        '[{"type":"list","content":{"items":["tea","milk"],"ordered":false}},'
        '{"type":"todo","content":{"items":[{"text":"buy","done":true}]}},{"type":"divider","content":{}},'
        '{"type":"image","content":{"url":"https://example.org/a.png","alt":"engine","caption":""}}]'
    )
    assert searchable_text("text", blocks) == "text\ntea\nmilk\nbuy\nengine\nhttps://example.org/a.png"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (message("see https://example.org"), {"link"}),
        (message("run `make`"), {"code"}),
        (message("x", "todo"), {"block", "todo"}),
        (message("x", "file"), {"block", "file", "attachment"}),
        (message("http:// is no link, ` no code"), set()),
    ],
    ids=["link", "code", "block", "file", "nothing"],
)
def test_facts_describe_the_content_of_a_message(given: Searchable, expected: set[str]) -> None:
    assert set(facts(given)) == expected


@pytest.mark.contract("Search and unread state 7")
@pytest.mark.parametrize(
    ("written", "searched"),
    [
        ("مُحَمَّد", "محمد"),
        ("محـــمد", "محمد"),
        ("أحمد", "احمد"),
        ("إسلام", "اسلام"),
        ("آمن", "امن"),
        ("ٱلله", "الله"),
        ("مدرسة", "مدرسه"),
        ("علی", "على"),
        ("کتاب", "كتاب"),
        ("مسؤول", "مسوول"),
        ("شَيْء", "شيء"),
        ("ﻣﺤﻤﺪ", "محمد"),
        ("٢٠٢٦", "2026"),
        ("۲۰۲۶", "2026"),
        ("שָׁלוֹם", "שלום"),
        ("בְּרֵאשִׁית", "בראשית"),
        ("ܫܠܳܡܳܐ", "ܫܠܡܐ"),
        ("за́мок", "замок"),
        ("о́", "о"),
        ("ɛ̃", "ɛ"),
        ("n̈", "n"),
        ("e\u1dc4", "e"),
    ],
)
def test_marks_that_readers_leave_out_make_no_difference(written: str, searched: str) -> None:
    assert fold(written) == fold(searched)
    assert folded_words(f"x {written} y")[1] == fold(searched)


@pytest.mark.contract("Search and unread state 7")
@pytest.mark.parametrize(
    ("one", "other"), [("мой", "мои"), ("її", "іі"), ("शील", "शल"), ("が", "か"), ("ء", "ا"), ("ה", "ח")]
)
def test_marks_that_make_another_letter_stay(one: str, other: str) -> None:
    assert fold(one) != fold(other)
