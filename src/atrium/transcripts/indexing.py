"""What is said in recordings is found by search: passages of the newest version, written behind it by the workers."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

import msgspec

from atrium.kit.database import Connection, Pool, Record
from atrium.kit.ids import new_id
from atrium.search.documents import Searchable, distinct_words, document_of
from atrium.search.words import stemmer
from atrium.transcripts import queries
from atrium.transcripts.model import Segment

LONGEST_MS, MOST_CHARACTERS = 20_000, 600
NOBODY = UUID(int=0)


@dataclass(frozen=True)
class Passage:
    """What is said in a stretch of a recording, short enough to be shown as what was found."""

    start_ms: int
    said: str


def passages(segments: Iterable[Segment]) -> Iterator[Passage]:
    """Segments that follow each other, a few together: words that were said close to each other are found so."""
    held: list[Segment] = []
    for segment in segments:
        too_long = held and round((segment.end - held[0].start) * 1000) > LONGEST_MS
        if too_long or sum(len(each.text) for each in held) + len(segment.text) > MOST_CHARACTERS:
            yield from _passage(held)
            held = []
        held.append(segment)
    yield from _passage(held)


def _passage(held: Sequence[Segment]) -> Iterator[Passage]:
    if held:
        yield Passage(round(held[0].start * 1000), "\n".join(segment.text for segment in held))


async def index_transcripts(pool: Pool, languages: tuple[str, ...]) -> None:
    """Index what is new."""
    while await _index_one(pool, languages):
        pass


async def _index_one(pool: Pool, languages: tuple[str, ...]) -> bool:
    async with pool.acquire() as db, db.transaction():
        row: Record | None = await db.fetchrow(queries.UNINDEXED)
        if row is None:
            return False
        place = row["room_id"], row["recording_id"]
        await db.execute(queries.UNFIND, *place)
        await _put(db, row, languages)
        await db.execute(queries.INDEXED, *place, row["version"], row["generation"])
        return True


async def _put(db: Connection, row: Record, languages: tuple[str, ...]) -> None:
    found = list(passages(msgspec.json.decode(row["segments"], type=list[Segment])))
    where = row["room_id"], row["space_id"], row["organization_id"], NOBODY
    searchable = [Searchable(*where, passage.said, frozenset()) for passage in found]
    stems = stemmer(languages)
    await stems.learn(db, distinct_words(searchable))
    await db.execute(
        queries.FIND_BY, row["room_id"], row["recording_id"], [new_id(row["created_at"]) for _ in found],
        [passage.start_ms for passage in found], [passage.said for passage in found],
        [document_of(each, stems) for each in searchable],
    )  # fmt: skip
