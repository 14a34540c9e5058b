"""`atrium buckets`: divide the rooms among several sets of tables."""

from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer
from rich.filesize import decimal

from atrium.buckets import queries
from atrium.cli.errors import CommandError
from atrium.cli.help_text import command_group
from atrium.cli.installation import DataDir, open_database, settings_with
from atrium.cli.operator import AsJson, CommandCall, act, find_organization
from atrium.cli.output import Row, console, print_json, show_rows
from atrium.migrations.buckets import add_bucket
from atrium.rooms.buckets import BucketInfo, assign_bucket, list_buckets, move_room

app = command_group("Divide the rooms among several sets of tables.")
RUNNING = "stop every atrium serve and atrium worker first: they have {} connections to the database"

Organization = Annotated[str, typer.Argument(metavar="ORGANIZATION", help="Its id or name.")]
Room = Annotated[UUID, typer.Argument(metavar="ROOM", help="The id of the room.")]
Number = Annotated[int, typer.Argument(metavar="BUCKET", help="The number of the bucket, as in the list.")]
OptionalNumber = Annotated[
    int | None, typer.Argument(metavar="[BUCKET]", help="The number of the bucket, as in the list.")
]
Any = Annotated[bool, typer.Option("--any", help="Choose the bucket with the fewest messages again.")]


@app.command("list")
def list_all(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """List the buckets: how much is in each, and the organizations whose new rooms are in it."""
    buckets = act(data_dir, list_buckets)
    if as_json:
        print_json(buckets)
    else:
        show_rows([_row(each) for each in buckets])


@app.command()
def add(data_dir: DataDir = None) -> None:
    """Add a bucket. New rooms go where the fewest messages are.

    Stop every server and worker first: they learn of it when they start.
    """
    number = _add(data_dir)
    console().print(f"Added bucket {number}. Start the servers and workers again.")


@app.command()
def assign(
    organization: Organization, bucket: OptionalNumber = None, anywhere: Any = False, data_dir: DataDir = None
) -> None:
    """Put all new rooms of an organization into one bucket. Its other rooms stay where they are."""
    if (bucket is None) is not anywhere:
        raise CommandError("choose a bucket, or --any")

    async def choose(call: CommandCall) -> str:
        if bucket is not None:
            await _require_bucket(call, bucket)
        chosen = await find_organization(call, organization)
        await assign_bucket(call, chosen, bucket)
        return chosen.name

    name = act(data_dir, choose)
    where = "the bucket with the fewest messages" if bucket is None else f"bucket {bucket}"
    console().print(f"New rooms of {name} go into {where}.", markup=False)


@app.command()
def move(room: Room, bucket: Number, data_dir: DataDir = None) -> None:
    """Move a room with all its messages to another bucket, completely or not at all.

    Stop every server and worker first: they know where rooms are.
    """

    async def move_it(call: CommandCall) -> str:
        await call.db.execute(queries.LOCK)
        await _require_bucket(call, bucket)
        _require_stopped(await call.db.fetchval(queries.PROCESSES))
        return await move_room(call, room, bucket)

    name = act(data_dir, move_it)
    console().print(f"{name} is in bucket {bucket}.", markup=False)


def _add(data_dir: Path | None) -> int:
    from atrium.migrations.script import driver_of  # noqa: PLC0415 - half a second, only where it is needed
    from atrium.migrations.upgrade import changing_schema  # noqa: PLC0415

    with (
        open_database(settings_with(data_dir=data_dir)) as settings,
        changing_schema(settings.database_url or "") as changing,
    ):
        db = driver_of(changing)
        _require_stopped(db.execute(queries.PROCESSES.encode()).fetchall()[0][0])
        number = add_bucket(db)
        db.execute(queries.COUNT_MESSAGES.encode())
    return number


def _require_stopped(connections: int) -> None:
    if connections:
        raise CommandError(RUNNING.format(connections))


async def _require_bucket(call: CommandCall, bucket: int) -> None:
    numbers = [row["bucket"] for row in await call.db.fetch(queries.NUMBERS)]
    if bucket not in numbers:
        raise CommandError(f"there is no bucket {bucket}; there are {', '.join(map(str, numbers))}")


def _row(each: BucketInfo) -> Row:
    return {
        "bucket": each.bucket, "rooms": each.rooms, "messages": each.messages, "size": decimal(each.bytes),
        "new rooms of": ", ".join(each.organizations),
    }  # fmt: skip
