"""The subjects of the benchmark: histories to seed, and loads to put on them."""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import psycopg

from atrium.kit.clock import from_ms, rfc3339
from bench import ceiling as fixed_answer
from bench.environment import Database
from bench.load import CONNECTIONS, Load, Request, cyclic_load
from bench.seed import DAY, WINDOW, WORDS, Plan, bulk, end_of_history, fill, finish_seeding, reply

STEP = WINDOW // 1000
SHAPES = {10_000: (100, 100), 1_000_000: (1000, 1000), 10_000_000: (1000, 10_000)}
MAIN = 1_000_000
ALIKE = 100  # rooms requested at every size, so that only the rest of the table differs
SEND_ROOMS = 200
REPLIES = 200
WALKED, WALK_PAGE, WALKERS = 20_000, 200, 16
WINDOWS, PER_WINDOW = 1000, 50
BODIES = 500

FOUND_AT = """
select wanted.room_id, message_id, id_ms(message_id) from unnest(%(rooms)s::uuid[], %(moments)s::bigint[])
as wanted (room_id, moment), lateral (select message_id from messages m where m.room_id = wanted.room_id
    and message_id >= id_floor(moment) order by message_id limit 1) found
"""


@dataclass(frozen=True)
class History:
    """A seeded database and its ordinary rooms."""

    database: Database
    plan: Plan
    rooms: Sequence[UUID]


@dataclass(frozen=True)
class Special:
    """Rooms that only the main database has."""

    threads: Sequence[UUID]
    walked: UUID
    one_window: UUID
    many_windows: UUID
    walk: Plan
    one: Plan
    many: Plan


def seed_ordinary(database: Database, size: int) -> History:
    """Fill ordinary rooms with `size` messages."""
    rooms, messages = SHAPES[size]
    plan = Plan(rooms, messages, STEP, end_of_history())
    with bulk(database):
        history = History(database, plan, fill(database, plan))
    finish_seeding(database, history.rooms)
    return history


def seed_special(database: Database) -> Special:
    """Fill rooms with threads, a room to walk, and two rooms of equal size with one window and with a thousand."""
    end = end_of_history()
    walk = Plan(1, WALKED, 40 * WINDOW // WALKED, end)
    one = Plan(1, WINDOWS * PER_WINDOW, DAY // (2 * WINDOWS * PER_WINDOW), end)
    many = Plan(1, WINDOWS * PER_WINDOW, WINDOW // PER_WINDOW, end)
    threads = fill(database, Plan(ALIKE, 1, STEP, end))
    reply(database, threads, REPLIES)
    (walked,), (single,), (thousand,) = (fill(database, plan) for plan in (walk, one, many))
    finish_seeding(database, [*threads, walked, single, thousand])
    return Special(threads, walked, single, thousand, walk, one, many)


def ceiling(url: str, folder: Path) -> Load:
    """Return the load of the static response."""
    return cyclic_load(url, folder / "ceiling.txt", [Request(fixed_answer.PATH)])


def newest(url: str, database: Database, rooms: Sequence[UUID]) -> Load:
    """Return a load of each room's newest page, with both keys in turn; processes cache such pages."""
    requests = [Request(f"/v2/rooms/{room}/messages", _key(database, nr)) for nr, room in enumerate(rooms)]
    return cyclic_load(url, database.folder / "newest.txt", requests)


def uncached_pages(url: str, database: Database, rooms: Sequence[UUID], connections: int = CONNECTIONS) -> Load:
    """Return a load of the same pages with a cursor in the future, which no process caches."""
    requests = [Request(_at(room, end_of_history() + DAY), _key(database, nr)) for nr, room in enumerate(rooms)]
    return cyclic_load(url, database.folder / f"collected-{connections}.txt", requests, connections=connections)


def anywhere(url: str, history: History, rooms: Sequence[UUID], name: str, times: int = 10) -> Load:
    """Return a load of full pages at random positions in the rooms' histories, on one connection."""
    database, wanted = history.database, list(rooms) * times
    random.Random(1).shuffle(wanted)
    values = {"rooms": wanted, "moments": _moments(history.plan, len(wanted))}
    with psycopg.connect(database.url) as db:
        found = db.execute(FOUND_AT, values).fetchall()
    requests = [Request(_at(room, ms, message), _key(database, nr)) for nr, (room, message, ms) in enumerate(found)]
    return cyclic_load(url, database.folder / f"{name}.txt", requests, connections=1)


def _moments(plan: Plan, count: int) -> list[int]:
    """Return random times with a full page before them in their window."""
    page, chance, found = plan.step * 52, random.Random(3), list[int]()
    while len(found) < count:
        moment = chance.randint(plan.start + page, plan.end - plan.step)
        if moment % WINDOW >= page:
            found.append(moment)
    return found


def sends(
    url: str,
    database: Database,
    rooms: Sequence[UUID],
    name: str = "sends",
    connections: int = CONNECTIONS,
    *,
    characters: int | None = None,
) -> Load:
    """Return a load of messages to the rooms in turn: ordinary ones, or with this number of characters."""
    requests = [
        Request(
            f"/v2/rooms/{rooms[nr % len(rooms)]}/messages",
            _key(database, nr),
            json.dumps({"text": _text(nr) if characters is None else _text_of(characters, nr)}),
        )
        for nr in range(max(BODIES, len(rooms)))
    ]
    return cyclic_load(url, database.folder / f"{name}-{connections}.txt", requests, connections=connections)


def thread_pages(url: str, database: Database, rooms: Sequence[UUID]) -> Load:
    """Return a load of the first page of a thread in each room."""
    with psycopg.connect(database.url) as db:
        roots = db.execute(
            "select room_id, message_id from messages where room_id = any(%s) and thread_root_id is null", [list(rooms)]
        ).fetchall()
    requests = [
        Request(f"/v2/rooms/{room}/threads/{root}/messages", _key(database, nr))
        for nr, (room, root) in enumerate(roots)
    ]
    return cyclic_load(url, database.folder / "threads.txt", requests)


def walks(url: str, database: Database, special: Special) -> Load:
    """Return a load of several walks through the whole room, from the newest page to the oldest, repeated."""
    path = f"/v2/rooms/{special.walked}/messages?limit={WALK_PAGE}"
    created = rfc3339(from_ms(special.walk.start))
    return Load(url, "walk.lua", [path, database.organization_key, created], WALKERS)


def windows(url: str, database: Database, special: Special) -> Load:
    """Return a load of the newest page of random windows in the room that has a thousand, on one connection."""
    oldest = special.many.start // WINDOW + 2
    chosen = random.Random(2).sample(range(oldest, oldest + WINDOWS - 4), ALIKE)
    requests = [
        Request(_at(special.many_windows, window * WINDOW + 1), _key(database, nr)) for nr, window in enumerate(chosen)
    ]
    return cyclic_load(url, database.folder / "windows.txt", requests, connections=1)


def _at(room: UUID, ms: int, message: UUID | None = None) -> str:
    path = f"/v2/rooms/{room}/messages?cursor_sent_at={rfc3339(from_ms(ms))}"
    return f"{path}&cursor_message_id={message}" if message else path


def _key(database: Database, nr: int) -> str:
    return database.organization_key if nr % 2 else database.personal_key


def _text(nr: int) -> str:
    start = nr * 7 % 60
    return WORDS[start : start + 20 + nr * 31 % 120].strip()


def _text_of(characters: int, seed: int) -> str:
    """Return a text of about two thousand different words, if it is long."""
    chance, words = random.Random(seed), WORDS.split()
    chosen = [f"{chance.choice(words)}{chance.randint(1, 50)}" for _ in range(characters // 4)]
    return " ".join(chosen)[:characters].strip()
