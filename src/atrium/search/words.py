"""Split and fold text into words. Done here rather than in PostgreSQL, so that the result does not depend on its
locale or extensions."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from atrium.kit.postgres.database import Connection
from atrium.search import queries

MAX_LENGTH = 100  # characters of a word that count
MAX_CACHED = 200_000

# Scripts without spaces between words (and Hangul, which attaches particles to them): each character is a word, so any
# run of characters is found as a phrase.
UNSPACED = (
    "\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u1100-\u11ff\u3041-\u30ff\u3105-\u318f\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U00020000-\U000323af"
)
EMOJI = "\u2300-\u27bf\u2b00-\u2bff\U0001f000-\U0001f3fa\U0001f400-\U0001faff"
FLAG = "[\U0001f1e6-\U0001f1ff]{2}"
# Marks that are part of a word, except those that only choose how an emoji looks.
MARKS = "".join(
    chr(code)
    for code in range(0x300, 0x10000)
    if unicodedata.category(chr(code)) in ("Mn", "Mc") and not 0xFE00 <= code <= 0xFE0F
)
MENTION = "<@[0-9a-fA-F-]{36}>"  # mentions an actor by id; not a word
WORD = re.compile(f"{MENTION}|{FLAG}|[{UNSPACED}][{MARKS}]*|[{EMOJI}]|(?:(?![{UNSPACED}])[^\\W_]|[{MARKS}])+")
WORD_OF_ASCII = re.compile(f"{MENTION}|[A-Za-z0-9]+")
FOLDING = 2  # the version of what `fold` returns; with another one, the worker writes all documents again
# Marks that readers leave out: accents of Latin and Greek letters, stress on Cyrillic vowels (й and ї are letters of
# their own), vowel points of Arabic, Hebrew and Syriac, hamza and madda on Arabic letters, and the tatweel, which only
# stretches a word.
LATIN_MARKS = "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
ACCENTED = re.compile(f"([a-zα-ω\u0250-\u02af])[{LATIN_MARKS}]+|([аеиоуыэюяєі])[\u0300\u0301]+")
POINTS = re.compile(
    "[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8"
    "\u06ea-\u06ed\u0711\u0730-\u074a\u08d3-\u08ff]+"
)
ALIKE = str.maketrans(
    {
        "ł": "l",
        "ø": "o",
        "đ": "d",
        "æ": "ae",
        "œ": "oe",
        "ı": "i",
        "ё": "е",
        "ς": "σ",
        "ٱ": "ا",
        "ى": "ي",
        "ی": "ي",
        "ک": "ك",
        "ة": "ه",  # as Lucene folds Arabic and Persian
        **{chr(zero + digit): str(digit) for zero in (0x660, 0x6F0) for digit in range(10)},
    }
)
UNQUOTABLE = re.compile(r"['\\\s\x00]")


class Word(NamedTuple):
    """A word and its position in a text."""

    folded: str
    start: int
    end: int


def words_of(text: str) -> Iterator[Word]:
    """Return the folded words of a text, in order."""
    for found in (WORD_OF_ASCII if text.isascii() else WORD).finditer(text):
        if found[0][0] != "<" and (folded := fold(found[0])):
            yield Word(folded, found.start(), found.end())


def folded_words(text: str) -> list[str]:
    """Return the same words without their positions, four times as fast."""
    if text.isascii():
        return [word[:MAX_LENGTH] for word in WORD_OF_ASCII.findall(text.lower()) if word[0] != "<"]
    return [folded for word in WORD.findall(text) if word[0] != "<" and (folded := fold(word))]


@lru_cache(65_536)
def fold(word: str) -> str:
    """Return a word without the distinctions that searches ignore: case, accents, ligatures, full-width forms."""
    if word.isascii():
        return word.lower()[:MAX_LENGTH]
    decomposed = POINTS.sub("", unicodedata.normalize("NFKD", word.casefold()).casefold())
    plain = ACCENTED.sub(r"\1\2", decomposed)
    composed = unicodedata.normalize("NFC", plain).translate(ALIKE)
    return UNQUOTABLE.sub("", composed)[:MAX_LENGTH]


class Stems(NamedTuple):
    """The stems of a word other than the word itself, and whether it is a stop word in one of the languages."""

    stems: tuple[str, ...]
    is_stop_word: bool


UNKNOWN = Stems((), False)


class Stemmer:
    """The stems of words in some languages, by PostgreSQL's dictionaries. A process looks up each word once."""

    def __init__(self, languages: Sequence[str]) -> None:
        self._languages = list(languages)
        self._cache: dict[str, Stems] = {}

    async def load(self, db: Connection, words: Iterable[str]) -> None:
        """Look up the stems of these words, for later calls of `of`."""
        if len(self._cache) > MAX_CACHED:
            self._cache.clear()
        unknown = list({word for word in words if word not in self._cache and word.isalpha()})
        for row in await db.fetch(queries.STEMS, unknown, self._languages) if unknown else ():
            self._cache[row["word"]] = Stems(tuple(row["stems"]), row["is_stop_word"])

    def of(self, word: str) -> Stems:
        """Return the stems of a word."""
        return self._cache.get(word, UNKNOWN)


@lru_cache(8)
def stemmer(languages: tuple[str, ...]) -> Stemmer:
    """Return the process's stemmer for some languages."""
    return Stemmer(languages)
