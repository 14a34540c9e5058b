"""Index transcripts for search: workers index the passages of each newest version after it is published."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

import msgspec

from atrium.kit.ids import new_id
from atrium.kit.postgres.database import Connection, Pool, Record, is_unavailable
from atrium.kit.process.failures import log_failure
from atrium.search.documents import Searchable, distinct_words, document_of
from atrium.search.words import stemmer
from atrium.transcripts import queries
from atrium.transcripts.model import Segment

MAX_MS, MAX_CHARACTERS = 20_000, 600
NOBODY = UUID(int=0)


@dataclass(frozen=True)
class Passage:
    """A part of a transcript, short enough to be shown as a search result."""

    start_ms: int
    text: str


def passages(segments: Iterable[Segment]) -> Iterator[Passage]:
    """Yield consecutive segments joined to passages, so that a search finds words of neighboring segments."""
    joined: list[Segment] = []
    for segment in segments:
        too_long = joined and round((segment.end - joined[0].start) * 1000) > MAX_MS
        if too_long or sum(len(part.text) for part in joined) + len(segment.text) > MAX_CHARACTERS:
            yield from _passage(joined)
            joined = []
        joined.append(segment)
    yield from _passage(joined)


def _passage(joined: Sequence[Segment]) -> Iterator[Passage]:
    if joined:
        yield Passage(round(joined[0].start * 1000), "\n".join(segment.text for segment in joined))


async def index_transcripts(pool: Pool, languages: tuple[str, ...]) -> None:
    """Index all transcripts that are not indexed yet. One that fails is logged and left out until its next version, so
    that the others are indexed."""
    while await _index_one(pool, languages):
        pass


async def _index_one(pool: Pool, languages: tuple[str, ...]) -> bool:
    async with pool.acquire() as db, db.transaction():
        row: Record | None = await db.fetchrow(queries.NEXT_UNINDEXED)
        if row is None:
            return False
        place = row["room_id"], row["recording_id"]
        await db.execute(queries.REMOVE_FROM_INDEX, *place)
        try:
            async with db.transaction():
                await _put(db, row, languages)
        except Exception as error:
            if is_unavailable(error):
                raise
            log_failure("a transcript could not be indexed", error, recording_id=str(row["recording_id"]))
        await db.execute(queries.MARK_INDEXED, *place, row["version"], row["generation"])
        return True


async def _put(db: Connection, row: Record, languages: tuple[str, ...]) -> None:
    found = list(passages(msgspec.json.decode(row["segments"], type=list[Segment])))
    where = row["room_id"], row["space_id"], row["organization_id"], NOBODY
    searchable = [Searchable(*where, passage.text, frozenset()) for passage in found]
    stems = stemmer(languages)
    await stems.load(db, distinct_words(searchable))
    await db.execute(
        queries.ADD_TO_INDEX,
        row["room_id"],
        row["recording_id"],
        [new_id(row["created_at"]) for _ in found],
        [passage.start_ms for passage in found],
        [passage.text for passage in found],
        [document_of(part, stems) for part in searchable],
    )
