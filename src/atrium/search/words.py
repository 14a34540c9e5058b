"""Texts as words: cut and folded here, so that the same text has the same words on every PostgreSQL, whatever its
locale and extensions are."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from atrium.kit.database import Connection
from atrium.search import queries

LONGEST = 100  # characters of a word that count
MOST_KNOWN = 200_000

# Scripts that put no spaces between words (and Hangul, which glues particles to them): a word a character, so that any
# run of characters is found as a phrase.
UNSPACED = (
    "\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u1100-\u11ff\u3041-\u30ff\u3105-\u318f\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U00020000-\U000323af"
)
EMOJI = "\u2300-\u27bf\u2b00-\u2bff\U0001f000-\U0001f3fa\U0001f400-\U0001faff"
FLAG = "[\U0001f1e6-\U0001f1ff]{2}"
# Marks that are part of a word; those that only choose how an emoji looks are none.
MARKS = "".join(
    chr(code)
    for code in range(0x300, 0x10000)
    if unicodedata.category(chr(code)) in ("Mn", "Mc") and not 0xFE00 <= code <= 0xFE0F
)
MENTION = "<@[0-9a-fA-F-]{36}>"  # names somebody by id: no word
WORD = re.compile(f"{MENTION}|{FLAG}|[{UNSPACED}][{MARKS}]*|[{EMOJI}]|(?:(?![{UNSPACED}])[^\\W_]|[{MARKS}])+")
WORD_OF_ASCII = re.compile(f"{MENTION}|[A-Za-z0-9]+")
ACCENTED = re.compile("([a-zα-ω])[\u0300-\u036f]+")
ALIKE = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "ё": "е", "ς": "σ"})
UNQUOTABLE = re.compile(r"['\\\s\x00]")


class Word(NamedTuple):
    """A word where it stands in a text."""

    folded: str
    start: int
    end: int


def words_of(text: str) -> Iterator[Word]:
    """The words of a text in order, folded."""
    for found in (WORD_OF_ASCII if text.isascii() else WORD).finditer(text):
        if found[0][0] != "<" and (folded := fold(found[0])):
            yield Word(folded, found.start(), found.end())


def folded_words(text: str) -> list[str]:
    """The same words without their places, four times as fast."""
    if text.isascii():
        return [word[:LONGEST] for word in WORD_OF_ASCII.findall(text.lower()) if word[0] != "<"]
    return [folded for word in WORD.findall(text) if word[0] != "<" and (folded := fold(word))]


@lru_cache(65_536)
def fold(word: str) -> str:
    """A word without what people leave out when they search: case, accents, ligatures, full-width forms."""
    if word.isascii():
        return word.lower()[:LONGEST]
    plain = ACCENTED.sub(r"\1", unicodedata.normalize("NFKD", word.casefold()).casefold())
    composed = unicodedata.normalize("NFC", plain).translate(ALIKE)
    return UNQUOTABLE.sub("", composed)[:LONGEST]


class Stems(NamedTuple):
    """What the languages make of a word: its stems, but for the word itself, and whether one of them leaves it out."""

    stems: tuple[str, ...]
    is_stop_word: bool


UNKNOWN = Stems((), False)


class Stemmer:
    """The stems of words in some languages, by PostgreSQL's dictionaries; each word is asked for once a process."""

    def __init__(self, languages: Sequence[str]) -> None:
        self._languages = list(languages)
        self._known: dict[str, Stems] = {}

    async def learn(self, db: Connection, words: Iterable[str]) -> None:
        """Make sure that `of` knows these words."""
        if len(self._known) > MOST_KNOWN:
            self._known.clear()
        unknown = list({word for word in words if word not in self._known and word.isalpha()})
        for row in await db.fetch(queries.STEMS, unknown, self._languages) if unknown else ():
            self._known[row["word"]] = Stems(tuple(row["stems"]), row["is_stop_word"])

    def of(self, word: str) -> Stems:
        """The stems of a word."""
        return self._known.get(word, UNKNOWN)


@lru_cache(8)
def stemmer(languages: tuple[str, ...]) -> Stemmer:
    """The process's stemmer for some languages."""
    return Stemmer(languages)
