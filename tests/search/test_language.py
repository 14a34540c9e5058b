"""The search syntax, parsed."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atrium.kit.clock import to_ms
from atrium.kit.errors import InvalidRequest
from atrium.search.language import LAST_MS, Query, Term, read_query


def at(*date: int) -> int:
    return to_ms(datetime(*date, tzinfo=UTC))  # type: ignore[misc]


def test_words_are_terms_and_the_last_may_be_a_prefix() -> None:
    assert read_query("big engine").groups == [[Term(("big",)), Term(("engine",), prefix=True)]]
    assert read_query("big engine ").groups == [[Term(("big",)), Term(("engine",))]]
    assert read_query("en").groups == [[Term(("en",))]]


def test_quotes_require_exact_form_and_order() -> None:
    assert read_query('"Big engines" x').groups == [[Term(("big", "engines"), exact=True), Term(("x",))]]


@pytest.mark.parametrize("text", ['say "big engines', 'say "big engines"'])
def test_a_quote_that_is_not_closed_ends_with_the_query(text: str) -> None:
    assert read_query(text).groups == [[Term(("say",)), Term(("big", "engines"), exact=True)]]


def test_joined_words_are_next_to_each_other() -> None:
    assert read_query("read-marker x").groups == [[Term(("read", "marker")), Term(("x",))]]


def test_a_minus_excludes() -> None:
    assert read_query('a -b -"c d" e-f ').groups == [
        [Term(("a",)), Term(("b",), negative=True), Term(("c", "d"), negative=True, exact=True), Term(("e", "f"))]
    ]


def test_or_separates_groups() -> None:
    assert read_query("a b OR c or or d or ").groups == [[Term(("a",)), Term(("b",))], [Term(("c",))], [Term(("d",))]]


def test_operators_are_read_with_or_without_quotes() -> None:
    query = read_query('in:general IN:"My room" from:ada from:"Ada L" has:link Has:Code x ')
    assert (query.places, query.senders) == (["general", "My room"], ["ada", "Ada L"])
    assert query.facts == {"link", "code"}
    assert query.groups == [[Term(("x",))]]


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("before:2026-11-21", 0, at(2026, 11, 21)),
        ("after:2026-11-21", at(2026, 11, 22), LAST_MS),
        ("on:2026-11-21", at(2026, 11, 21), at(2026, 11, 22)),
        ("after:2026-11-21T10:00Z", at(2026, 11, 21, 10) + 1, LAST_MS),
        ("before:2026-11-21T10:00+02:00", 0, at(2026, 11, 21, 8)),
        ("on:2026-11-21T23:59Z", at(2026, 11, 21), at(2026, 11, 22)),
        ("after:2026-01-01 before:2026-02-01 before:2026-03-01", at(2026, 1, 2), at(2026, 2, 1)),
        ("before:1960-01-01", 0, 0),
        ("after:9999-12-31", at(9999, 12, 31), LAST_MS),
    ],
)
def test_dates_limit_the_time(text: str, since: int, until: int) -> None:
    query = read_query(text)
    assert (query.since_ms, query.until_ms) == (since, until)
    assert not query.is_empty


@pytest.mark.parametrize("text", ["before:soon", "after:2026-13-01", "on:21.11.2026", 'on:""', "before:2026-11-21x"])
def test_an_invalid_date_is_rejected_and_named(text: str) -> None:
    with pytest.raises(InvalidRequest, match="is not a date such as"):
        read_query(text)


def test_an_unknown_value_of_has_is_rejected_with_the_known_ones() -> None:
    with pytest.raises(InvalidRequest, match="Use one of: link, attachment"):
        read_query("has:fun")


@pytest.mark.parametrize("text", ["to:ada x", "in: x", "http://a.example x", "-in:general x", "a:b:c x"])
def test_unknown_operators_are_searched_as_words(text: str) -> None:
    query = read_query(text)
    assert not (query.places or query.senders or query.facts)
    assert len(query.groups[0]) == 2


@pytest.mark.parametrize("text", ["", "  ", "?!", "or", "-", '""', "- -", '"', "or or"])
def test_a_query_of_punctuation_is_empty(text: str) -> None:
    assert read_query(text).is_empty


@given(st.text() | st.text(alphabet="\"-: orinfomhas:be\\'&|!*()<>", max_size=60))
def test_any_query_is_parsed_or_rejected(text: str) -> None:
    try:
        query = read_query(text)
    except InvalidRequest:
        return
    assert isinstance(query, Query)
    assert all(term.words for group in query.groups for term in group)
