"""Queries in the notation of PostgreSQL's tsquery. An empty string matches anything."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from atrium.search.documents import HAS, STEM, short_id
from atrium.search.language import Term
from atrium.search.words import Stemmer

MAX_PLACES = 32  # in a query; if there are more, it names the next wider scope instead, and hits are checked as always
NOT_IN_THE_INDEX = frozenset({"reaction", "thread"})


def words_query(groups: Sequence[Sequence[Term]], stems: Stemmer) -> str:
    """Return the query for the words of a search."""
    return _any(_all(_group(group, stems)) for group in groups)


def rank_queries(groups: Sequence[Sequence[Term]], stems: Stemmer) -> tuple[str, str]:
    """Return the two queries that rank hits: by how often any word occurs, and by how close together a group is."""
    positive = [_group([term for term in group if not term.negative], stems) for group in groups]
    found = [group for group in positive if group]
    has_pairs = any(len(group) > 1 for group in found)  # a single word has no distance
    return _any(term for group in found for term in group), _any(map(_all, found)) if has_pairs else ""


def any_of(mark: str, ids: Iterable[UUID]) -> str:
    """Return a query for documents marked with one of the ids."""
    return _any(f"'{mark}{short_id(identifier)}'" for identifier in sorted(ids))


def all_facts(facts: Iterable[str]) -> Sequence[str]:
    """Return a query for each fact that the index knows."""
    return [f"'{HAS}{fact}'" for fact in sorted(facts) if fact not in NOT_IN_THE_INDEX]


def all_of(parts: Iterable[str]) -> str:
    """Return the conjunction of the parts."""
    return _all(part for part in parts if part)


def _group(group: Sequence[Term], stems: Stemmer) -> list[str]:
    """Return the terms of a group, without stop words if others remain."""
    significant = [term for term in group if term.negative or term.exact or not _is_stop_word(term, stems)]
    terms = significant if any(not term.negative for term in significant) else group
    return [f"!{_term(term, stems)}" if term.negative else _term(term, stems) for term in terms]


def _is_stop_word(term: Term, stems: Stemmer) -> bool:
    return len(term.words) == 1 and stems.of(term.words[0]).is_stop_word


def _term(term: Term, stems: Stemmer) -> str:
    words = [f"'{word}'" for word in term.words]
    if len(words) > 1 or term.exact:
        if term.prefix:
            words[-1] += ":*"
        return f"({' <-> '.join(words)})"
    word = term.words[0]
    forms = [word, *(form for stem in stems.of(word).stems for form in (stem, STEM + stem)), STEM + word]
    return _any([*(f"'{form}'" for form in forms), *([f"'{word}':*"] if term.prefix else [])])


def _any(parts: Iterable[str]) -> str:
    joined = " | ".join(parts)
    return f"({joined})" if joined else ""


def _all(parts: Iterable[str]) -> str:
    return " & ".join(parts)
