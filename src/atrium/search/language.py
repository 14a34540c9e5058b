"""The search language: words, "phrases", -excluded, or, and operators such as from:ada before:2026-11-01."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from atrium.kit.clock import parse_time, to_ms
from atrium.kit.errors import InvalidRequest, invalid_parameter
from atrium.search.words import words_of

FACTS = (
    "link", "attachment", "reaction", "thread", "block", "heading", "paragraph", "list", "todo", "code", "quote",
    "divider", "image", "file", "callout",
)  # fmt: skip
OPERATOR = re.compile(r'(?P<name>in|from|before|after|on|has):(?:"(?P<quoted>[^"]*)"|(?P<value>[^\s"]\S*))', re.I)
PHRASE = re.compile(r'(?P<sign>-?)"(?P<phrase>[^"]*)"?')
CHUNK = re.compile(r'(?P<sign>-?)(?P<word>[^\s"]+)')
DAY_ONLY = re.compile(r"[0-9W-]+", re.I)
DAY, MILLISECOND = timedelta(days=1), timedelta(milliseconds=1)
SHORTEST_PREFIX = 3
LAST_MS = (1 << 48) - 1


@dataclass(frozen=True)
class Term:
    """A word, or words to find next to each other. `exact`: in this form only. `prefix`: the last may continue."""

    words: tuple[str, ...]
    negative: bool = False
    exact: bool = False
    prefix: bool = False


@dataclass
class Query:
    """A parsed query: a hit matches any of the groups and all of the operators."""

    groups: list[list[Term]] = field(default_factory=lambda: [[]])
    places: list[str] = field(default_factory=list)
    senders: list[str] = field(default_factory=list)
    facts: set[str] = field(default_factory=set)
    since_ms: int = 0
    until_ms: int = LAST_MS
    operators: int = 0

    @property
    def is_empty(self) -> bool:
        """Return whether there is nothing to search for."""
        return not (any(self.groups) or self.operators)

    @property
    def positive(self) -> list[Term]:
        """Return the terms that a hit may contain."""
        return [term for group in self.groups for term in group if not term.negative]


def read_query(text: str) -> Query:
    """Parse a query. Raise InvalidRequest for an invalid date or an unknown `has:`."""
    query, at = Query(), 0
    while at < len(text):
        if text[at].isspace():
            at += 1
        elif operator := OPERATOR.match(text, at):
            given = operator["quoted"] if operator["quoted"] is not None else operator["value"]
            _OPERATORS[operator["name"].lower()](query, given)
            query.operators += 1
            at = operator.end()
        elif phrase := PHRASE.match(text, at):
            _add(query, phrase["phrase"], negative=bool(phrase["sign"]), exact=True, is_last=False)
            at = phrase.end()
        else:
            at = _parse_chunk(query, text, at)
    query.groups = [group for group in query.groups if group]
    return query


def _parse_chunk(query: Query, text: str, at: int) -> int:
    chunk = CHUNK.match(text, at)
    if chunk is None:  # a minus sign before nothing
        return at + 1
    if chunk[0].lower() == "or":
        query.groups.append([])
    else:
        _add(query, chunk["word"], negative=bool(chunk["sign"]), exact=False, is_last=chunk.end() == len(text))
    return chunk.end()


def _add(query: Query, text: str, *, negative: bool, exact: bool, is_last: bool) -> None:
    words = tuple(word.folded for word in words_of(text))
    if words:
        prefix = is_last and not negative and len(words[-1]) >= SHORTEST_PREFIX
        query.groups[-1].append(Term(words, negative, exact, prefix))


def _parse_has(query: Query, value: str) -> None:
    fact = value.lower()
    if fact not in FACTS:
        raise invalid_parameter("q", f"has:{value} is not supported. Use one of: {', '.join(FACTS)}")
    query.facts.add(fact)


def _parse_before(query: Query, value: str) -> None:
    query.until_ms = min(query.until_ms, _ms(_time(value, "before")))


def _parse_after(query: Query, value: str) -> None:
    step = DAY if DAY_ONLY.fullmatch(value) else MILLISECOND
    query.since_ms = max(query.since_ms, _ms(_later(_time(value, "after"), step)))


def _parse_on(query: Query, value: str) -> None:
    day = _time(value, "on").replace(hour=0, minute=0, second=0, microsecond=0)
    query.since_ms = max(query.since_ms, _ms(day))
    query.until_ms = min(query.until_ms, _ms(_later(day, DAY)))


_OPERATORS: dict[str, Callable[[Query, str], None]] = {
    "in": lambda query, value: query.places.append(value),
    "from": lambda query, value: query.senders.append(value),
    "before": _parse_before,
    "after": _parse_after,
    "on": _parse_on,
    "has": _parse_has,
}


def _time(value: str, operator: str) -> datetime:
    try:
        return parse_time(value)
    except ValueError:
        raise _no_date(operator, value) from None


def _no_date(operator: str, value: str) -> InvalidRequest:
    return invalid_parameter("q", f"{operator}:{value[:50]} is not a date such as {operator}:2026-11-21")


def _later(at: datetime, step: timedelta) -> datetime:
    try:
        return at + step
    except OverflowError:
        return at


def _ms(at: datetime) -> int:
    return min(max(to_ms(at), 0), LAST_MS)
