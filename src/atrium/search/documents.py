"""Search documents. The tsvector of a message holds its exact words with positions, and its stems and facts without
positions. A capital-letter prefix marks stems and facts."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

import msgspec

from atrium.search.words import Stemmer, folded_words

MAX_BYTES = 100_000  # of different words; a document has 1 MiB, and each language may add a stem to a word
MAX_POSITION, MAX_POSITIONS = 16_383, 254  # in a tsvector; of one word in it
STEM, ROOM, SPACE, ORGANIZATION, SENDER, HAS = "S", "R", "P", "O", "U", "H"
LINK = re.compile(r"https?://\S", re.I)
CODE = re.compile(r"`[^`]+`")
TEXTS = ("text", "alt", "caption", "name", "url")
FILES = ("image", "file")


@dataclass(frozen=True)
class Searchable:
    """A message as search sees it; `content` is its text and the texts of its blocks."""

    room_id: UUID
    space_id: UUID
    organization_id: UUID
    user_id: UUID
    content: str
    block_types: frozenset[str]

    @cached_property
    def words(self) -> list[str]:
        """Return the folded words of the content, in order."""
        return folded_words(self.content)


def searchable_text(text: str, blocks: str) -> str:
    """Return a message's text and the texts of its blocks, one on each line."""
    if blocks == "[]":
        return text
    return "\n".join(filter(None, [text, *(line for each in msgspec.json.decode(blocks) for line in _texts(each))]))


def block_types(blocks: str) -> frozenset[str]:
    """Return the types of a message's blocks."""
    return frozenset(each["type"] for each in msgspec.json.decode(blocks)) if blocks != "[]" else frozenset()


def _texts(block: dict[str, Any]) -> Iterator[str]:
    content = block["content"]
    yield from (content[field] for field in TEXTS if content.get(field))
    for item in content.get("items", ()):
        yield item if isinstance(item, str) else item["text"]


def facts(message: Searchable) -> Iterator[str]:
    """Return the facts that `has:` searches for, except those that are not in the message itself."""
    if LINK.search(message.content):
        yield "link"
    if CODE.search(message.content):
        yield "code"
    if message.block_types:
        yield "block"
    if message.block_types.intersection(FILES):
        yield "attachment"
    yield from message.block_types


def short_id(identifier: UUID) -> str:
    """Return a part of an id that is enough to look it up; hits are then checked by the complete id."""
    return identifier.hex[-10:]


def document_of(message: Searchable, stems: Stemmer) -> str:
    """Return the document in PostgreSQL's notation of a tsvector. The stemmer must have learned the words."""
    positions = _positions(message.words)
    lexemes = [f"'{word}':{at}" for word, at in positions.items()]
    lexemes += [f"'{STEM}{stem}'" for stem in {stem for word in positions for stem in stems.of(word).stems}]
    lexemes += [f"'{HAS}{fact}'" for fact in set(facts(message))]
    where = ((ROOM, message.room_id), (SPACE, message.space_id), (ORGANIZATION, message.organization_id))
    lexemes += [f"'{mark}{short_id(identifier)}'" for mark, identifier in (*where, (SENDER, message.user_id))]
    return " ".join(lexemes)


def _positions(words: Sequence[str]) -> dict[str, str]:
    """Return the positions of each different word, as many of both as a document can hold."""
    positions: dict[str, str] = {}
    remaining, count = MAX_BYTES, Counter[str]()
    for position, word in enumerate(words, 1):
        if word not in positions:
            remaining -= len(word.encode())
            if remaining < 0:
                break
            positions[word] = str(min(position, MAX_POSITION))
        elif count[word] < MAX_POSITIONS and position < MAX_POSITION:
            positions[word] += f",{position}"
            count[word] += 1
    return positions


def distinct_words(messages: Iterable[Searchable]) -> set[str]:
    """Return every word of the messages."""
    return {word for message in messages for word in message.words}
