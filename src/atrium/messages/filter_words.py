"""Which words of filters are in a text. What the search takes for one word, such as a character of a script without
spaces, is one here too, and what it ignores (case, accents) does not count. Unlike there, a word of a filter keeps its
punctuation: `C++` is in `I like C++.`, but neither in `vitamin C` nor in `C++11`.

The text is read once, however many words there are: its pieces are compared with theirs as sets, and words of several
pieces are looked up among the places where such a word can begin, in order.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate
from operator import itemgetter
from typing import NamedTuple

from atrium.search.words import EMOJI, FLAG, MARKS, MAX_LENGTH, MENTION, UNSPACED, fold

# Of emoji: what joins them, and what only chooses how they look.
_IGNORED = "\u200d\ufe00-\ufe0f\U0001f3fb-\U0001f3ff"
_ALONE = f"{MENTION}|{FLAG}|[{UNSPACED}][{MARKS}]*|[{EMOJI}]"  # a word wherever it is
_LETTERS = f"(?:(?![{UNSPACED}])\\w|[{MARKS}])+"
PIECE = re.compile(f"{_ALONE}|{_LETTERS}|[^{_IGNORED}]", re.S)
PIECE_OF_ASCII = re.compile(f"{MENTION}|\\w+|.", re.S)
LETTERS, ALONE = re.compile(_LETTERS), re.compile(_ALONE)
LONGEST_PIECE = 200  # characters; the words of filters have 100
BEGINNING, CUT = itemgetter(slice(LONGEST_PIECE)), itemgetter(slice(MAX_LENGTH))
BEFORE_LETTERS, BEFORE_MARK = re.compile("m(?=l)"), re.compile("l(?=m)")
ASCII_MARKS = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) == "_")}
END, NO_END = "\x1f", "\x1e"  # after a piece: whether a word of a filter may end here


class Piece(NamedTuple):
    """A piece of a text, and its kind: `l` for letters of a script with spaces, to whose word marks belong that touch
    them; `w` for what is a word wherever it is; `m` for a mark of punctuation; `s` for a space."""

    folded: str
    kind: str


@lru_cache(65_536)
def _piece(found: str) -> Piece:
    if found.isspace():
        return Piece(" ", "s")
    kind = "w" if ALONE.fullmatch(found) else "l" if LETTERS.fullmatch(found) else "m"
    return Piece(fold(found), kind)


def pieces_of(text: str) -> list[Piece]:
    """Return the pieces of a text, in order."""
    found = (PIECE_OF_ASCII if text.isascii() else PIECE).findall(text)
    return [piece for piece in map(_piece, map(BEGINNING, found)) if piece.folded]


def spell(pieces: Sequence[Piece]) -> tuple[str, list[int]]:
    """Return the pieces in one string, each with whether a word of a filter may end after it, and the places where one
    may begin: a mark that touches letters belongs to their word."""
    kinds, joints = "".join(piece.kind for piece in pieces), [END] * len(pieces)
    for found in BEFORE_LETTERS.finditer(kinds):
        joints[found.start()] = NO_END
    spelled = [piece.folded + joint for piece, joint in zip(pieces, joints, strict=True)]
    inside = {found.end() for found in BEFORE_MARK.finditer(kinds)}
    places = zip(range(len(pieces)), accumulate(map(len, spelled), initial=0), strict=False)
    return "".join(spelled), [place for nr, place in places if nr not in inside]


class Text:
    """A text in which words of filters are looked for."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words, folded, and perhaps marks."""
        if self._text.isascii() and "<@" not in self._text:  # five times as fast
            return frozenset(map(CUT, set(self._text.lower().translate(ASCII_MARKS).split())))
        return frozenset(piece.folded for piece in map(_piece, map(BEGINNING, set(PIECE.findall(self._text)))))

    @cached_property
    def _spelled(self) -> tuple[str, list[int]]:
        return spell(pieces_of(self._text))

    def having(self, phrases: Collection[str]) -> Iterator[str]:
        """Yield those of the spelled words that the text has."""
        spelled, starts = self._spelled
        longest, first = max(map(len, phrases), default=0), {phrase[0] for phrase in phrases}
        found = sorted({spelled[start : start + longest] for start in starts if spelled[start] in first})
        for phrase in phrases:
            place = bisect_left(found, phrase)
            if place < len(found) and found[place].startswith(phrase):
                yield phrase


class FilterWords:
    """The words of some filters, ready to be looked for."""

    def __init__(self, words: Collection[str]) -> None:
        self.count = len(words)
        self._words, self._phrases = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
        self._phrases_with = defaultdict[str, set[str]](set)  # by the longest of their words
        self._of_marks = set[str]()
        for word in words:
            self._add(word, pieces_of(word))
        self._alone, self._longest = frozenset(self._words), frozenset(self._phrases_with)

    def _add(self, word: str, pieces: Sequence[Piece]) -> None:
        own = [piece.folded for piece in pieces if piece.kind != "m"]
        if len(pieces) == len(own) == 1:
            self._words[own[0]].append(word)
        elif pieces:
            phrase = spell(pieces)[0]
            self._phrases[phrase].append(word)
            (self._phrases_with[max(own, key=len)] if own else self._of_marks).add(phrase)

    def found_in(self, text: Text) -> set[str]:
        """Return those that the text has, as they are written in the filters."""
        found = {word for piece in text.words & self._alone for word in self._words[piece]}
        likely = self._of_marks.union(*(self._phrases_with[piece] for piece in text.words & self._longest))
        return found.union(*(self._phrases[phrase] for phrase in text.having(likely))) if likely else found
