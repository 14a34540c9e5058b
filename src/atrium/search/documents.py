"""What of a message is searched, and how its document is written: a tsvector of exact words with their places, and
beside them, marked by a capital that no folded word has, stems and facts without places."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

import msgspec

from atrium.search.words import Stemmer, folded_words

MOST_BYTES = 100_000  # of different words; a document has 1 MiB, and each language may add a stem to a word
LAST_PLACE, MOST_PLACES = 16_383, 254  # of a tsvector; of a word in it
STEM, ROOM, SPACE, ORGANIZATION, SENDER, HAS = "S", "R", "P", "O", "U", "H"
LINK = re.compile(r"https?://\S", re.I)
CODE = re.compile(r"`[^`]+`")
TEXTS = ("text", "alt", "caption", "name", "url")
FILES = ("image", "file")


@dataclass(frozen=True)
class Searchable:
    """A message as search sees it; `said` is its text and what its blocks say."""

    room_id: UUID
    space_id: UUID
    organization_id: UUID
    user_id: UUID
    said: str
    block_types: frozenset[str]

    @cached_property
    def words(self) -> list[str]:
        """Its words in order, folded."""
        return folded_words(self.said)


def what_is_said(text: str, blocks: str) -> str:
    """A message's text and, a line each, the texts of its blocks."""
    if blocks == "[]":
        return text
    return "\n".join(filter(None, [text, *(line for each in msgspec.json.decode(blocks) for line in _texts(each))]))


def block_types(blocks: str) -> frozenset[str]:
    """The types of a message's blocks."""
    return frozenset(each["type"] for each in msgspec.json.decode(blocks)) if blocks != "[]" else frozenset()


def _texts(block: dict[str, Any]) -> Iterator[str]:
    content = block["content"]
    yield from (content[field] for field in TEXTS if content.get(field))
    for item in content.get("items", ()):
        yield item if isinstance(item, str) else item["text"]


def facts(message: Searchable) -> Iterator[str]:
    """What `has:` asks for, as far as it is in the message itself."""
    if LINK.search(message.said):
        yield "link"
    if CODE.search(message.said):
        yield "code"
    if message.block_types:
        yield "block"
    if message.block_types.intersection(FILES):
        yield "attachment"
    yield from message.block_types


def short(identifier: UUID) -> str:
    """Enough of an id to look it up by; what is found is then checked by the whole of it."""
    return identifier.hex[-10:]


def document_of(message: Searchable, stems: Stemmer) -> str:
    """The document as PostgreSQL reads a tsvector. The stemmer has to have learnt the words."""
    places = _places(message.words)
    lexemes = [f"'{word}':{at}" for word, at in places.items()]
    lexemes += [f"'{STEM}{stem}'" for stem in {stem for word in places for stem in stems.of(word).stems}]
    lexemes += [f"'{HAS}{fact}'" for fact in set(facts(message))]
    where = ((ROOM, message.room_id), (SPACE, message.space_id), (ORGANIZATION, message.organization_id))
    lexemes += [f"'{mark}{short(identifier)}'" for mark, identifier in (*where, (SENDER, message.user_id))]
    return " ".join(lexemes)


def _places(words: Sequence[str]) -> dict[str, str]:
    """Each different word with the places at which it stands, as many of both as a document can hold."""
    places: dict[str, str] = {}
    room, count = MOST_BYTES, Counter[str]()
    for place, word in enumerate(words, 1):
        if word not in places:
            room -= len(word.encode())
            if room < 0:
                break
            places[word] = str(min(place, LAST_PLACE))
        elif count[word] < MOST_PLACES and place < LAST_PLACE:
            places[word] += f",{place}"
            count[word] += 1
    return places


def distinct_words(messages: Iterable[Searchable]) -> set[str]:
    """Every word of the messages."""
    return {word for message in messages for word in message.words}
