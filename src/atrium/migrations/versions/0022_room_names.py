"""Two rooms of a space cannot have the same name. Rooms that do are numbered, except the oldest of them."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from alembic import op
from sqlalchemy import text

from atrium.kit.text.names import name_key, numbered
from atrium.migrations.script import run_script

revision = "0022"
down_revision = "0021"

ROOMS = text("select room_id, space_id, name, deleted_at from rooms order by created_at, room_id")
NAME = text("update rooms set name = :name, name_key = :name_key where room_id = :room_id")
REQUIRE = text("alter table rooms alter column name_key set not null")


def upgrade() -> None:
    """Run the SQL beside this file, and give each room its key."""
    connection = op.get_bind()
    run_script(connection, Path(__file__).with_suffix(".sql"))
    rooms = [tuple(room) for room in connection.execute(ROOMS)]
    if rooms:
        connection.execute(NAME, [*named(rooms)])
    connection.execute(REQUIRE)


def named(rooms: Sequence[tuple[UUID, UUID, str, datetime | None]]) -> Iterator[dict[str, Any]]:
    """Yield the name and key of each room. A number never takes the name that another room has already."""
    taken = {(space_id, name_key(name)) for _, space_id, name, deleted_at in rooms if deleted_at is None}
    seen: set[tuple[UUID, str]] = set()
    for room_id, space_id, name, deleted_at in rooms:
        chosen = name
        if deleted_at is None and (space_id, name_key(name)) in seen:
            chosen = next(each for each in numbered(name) if (space_id, name_key(each)) not in taken)
            taken.add((space_id, name_key(chosen)))
        elif deleted_at is None:
            seen.add((space_id, name_key(name)))
        yield {"room_id": room_id, "name": chosen, "name_key": name_key(chosen)}
