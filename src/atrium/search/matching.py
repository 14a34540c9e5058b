"""A query as PostgreSQL's index takes it."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from atrium.search.documents import HAS, STEM, short
from atrium.search.language import Term
from atrium.search.words import Stemmer

MOST_PLACES = 32  # named in a query; beyond it the next wider circle is named instead, and hits are checked as always
NOT_IN_THE_INDEX = frozenset({"reaction", "thread"})


def words_query(groups: Sequence[Sequence[Term]], stems: Stemmer) -> str:
    """What hits have to say; empty where they may say anything."""
    return _any(_all(_group(group, stems)) for group in groups)


def rank_queries(groups: Sequence[Sequence[Term]], stems: Stemmer) -> tuple[str, str]:
    """What makes a hit a good one: much of any word, and all of a group close together; empty where nothing does."""
    positive = [_group([term for term in group if not term.negative], stems) for group in groups]
    found = [group for group in positive if group]
    has_pairs = any(len(group) > 1 for group in found)  # a word alone is as close together as it can be
    return _any(term for group in found for term in group), _any(map(_all, found)) if has_pairs else ""


def any_of(mark: str, ids: Iterable[UUID]) -> str:
    """Marked with one of the ids."""
    return _any(f"'{mark}{short(identifier)}'" for identifier in sorted(ids))


def all_facts(facts: Iterable[str]) -> Sequence[str]:
    """The facts that the index knows, each to hold."""
    return [f"'{HAS}{fact}'" for fact in sorted(facts) if fact not in NOT_IN_THE_INDEX]


def together(parts: Iterable[str]) -> str:
    """All of what the parts ask; empty ones ask nothing."""
    return _all(part for part in parts if part)


def _group(group: Sequence[Term], stems: Stemmer) -> list[str]:
    """Words that a language leaves out are not asked for where others remain."""
    heavy = [term for term in group if term.negative or term.exact or not _is_stop_word(term, stems)]
    kept = heavy if any(not term.negative for term in heavy) else group
    return [f"!{_term(term, stems)}" if term.negative else _term(term, stems) for term in kept]


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
