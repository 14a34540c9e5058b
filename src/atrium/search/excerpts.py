"""Excerpts: the part of a hit that shows why it matches, with the positions of the words."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated

from msgspec import Meta, Struct

from atrium.search.language import Term
from atrium.search.words import Stemmer, Word, folded_words, words_of

MAX_SEARCHED = 10_000  # characters of a message
LENGTH, BEFORE = 240, 60  # characters of an excerpt, and of it before the first word found
ELLIPSIS = "…"
Span = tuple[int, int]


class Excerpt(Struct, frozen=True):
    """A part of a message as plain text (its Markdown source), never HTML."""

    text: Annotated[str, Meta(examples=["…we ship the analytical engine on Friday."])]
    highlights: Annotated[
        list[tuple[int, int]],
        Meta(
            description="the words found: start and end, in characters (code points) of `text`", examples=[[[13, 23]]]
        ),
    ]


class Highlighter:
    """Finds the words of a query in texts."""

    def __init__(self, terms: Sequence[Term], stems: Stemmer) -> None:
        self._stems = stems
        single = [term for term in terms if len(term.words) == 1]
        self._phrases = [term for term in terms if len(term.words) > 1]
        self._exact = {term.words[0] for term in single}
        self._prefixes = tuple(term.words[0] for term in single if term.prefix)
        inflected = [term.words[0] for term in single if not term.exact]
        self._forms = {form for word in inflected for form in (word, *stems.of(word).stems)}
        self._initials = {form[0] for form in self._forms}

    def words_to_load(self, texts: Iterable[str]) -> set[str]:
        """Return the words whose stems must be known first: a stem begins as its word does."""
        words = {word for text in texts for word in folded_words(text[:MAX_SEARCHED])}
        return {word for word in words if word[0] in self._initials}

    def excerpt(self, content: str) -> Excerpt:
        """Return the part with the most of the words found."""
        spans = _merge(self._found(list(words_of(content[:MAX_SEARCHED]))))
        start, end = _cut(content, spans)
        text, shift = content[start:end], start
        if start > 0:
            text, shift = ELLIPSIS + text, start - len(ELLIPSIS)
        highlights = [(low - shift, high - shift) for low, high in spans if start <= low and high <= end]
        return Excerpt(text + ELLIPSIS if end < len(content) else text, highlights)

    def _found(self, words: Sequence[Word]) -> Iterator[Span]:
        for place, word in enumerate(words):
            if self._is_found(word.folded):
                yield word.start, word.end
            for phrase in self._phrases:
                last = place + len(phrase.words)
                if last <= len(words) and _is_phrase(phrase, words[place:last]):
                    yield word.start, words[last - 1].end

    def _is_found(self, word: str) -> bool:
        if word in self._exact or word in self._forms or word.startswith(self._prefixes):
            return True
        return word[0] in self._initials and not self._forms.isdisjoint(self._stems.of(word).stems)


def _is_phrase(phrase: Term, words: Sequence[Word]) -> bool:
    *first, last = zip(phrase.words, words, strict=True)
    if any(wanted != word.folded for wanted, word in first):
        return False
    wanted, word = last
    return word.folded.startswith(wanted) if phrase.prefix else word.folded == wanted


def _merge(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for low, high in sorted(spans):
        if merged and low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return merged


def _cut(content: str, spans: Sequence[Span]) -> Span:
    """Return start and end of the first stretch with the most spans, without cutting a word."""
    best, first = 0, 0
    behind = 0
    for number, (low, _) in enumerate(spans):
        while behind < len(spans) and spans[behind][1] <= low + LENGTH - BEFORE:
            behind += 1
        if behind - number > best:
            best, first = behind - number, low
    start = max(0, min(first - BEFORE, len(content) - LENGTH))
    end = min(len(content), start + LENGTH)
    if start > 0:
        start = max(content.find(" ", start, first) + 1, start)
    if end < len(content):
        space = content.rfind(" ", max((high for _, high in spans if high <= end), default=start), end)
        end = space if space > start else end
    return start, end
