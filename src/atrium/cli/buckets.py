"""`atrium buckets`: divide the rooms among several sets of tables."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated
from uuid import UUID

import typer
from rich.filesize import decimal

from atrium.cli.errors import CommandError
from atrium.cli.help_text import command_group
from atrium.cli.installation import DataDir, open_database, settings_with
from atrium.cli.operator import AsJson, CommandCall, act, find_organization
from atrium.cli.output import Row, console, print_json, show_rows
from atrium.rooms.buckets import (
    BucketInfo,
    BucketNotFound,
    CannotPlace,
    StillRunning,
    assign_bucket,
    create_bucket,
    list_buckets,
    move_room,
    place_bucket,
)

app = command_group("Divide the rooms among several sets of tables.")

Organization = Annotated[str, typer.Argument(metavar="ORGANIZATION", help="Its id or name.")]
Room = Annotated[UUID, typer.Argument(metavar="ROOM", help="The id of the room.")]
Number = Annotated[int, typer.Argument(metavar="BUCKET", help="The number of the bucket, as in the list.")]
OptionalNumber = Annotated[
    int | None, typer.Argument(metavar="[BUCKET]", help="The number of the bucket, as in the list.")
]
Any = Annotated[bool, typer.Option("--any", help="Choose the bucket with the fewest messages again.")]


@app.command("list")
def list_all(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """List the buckets: how much is in each, where it is, and the organizations whose new rooms are in it."""
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
    with open_database(settings_with(data_dir=data_dir)) as settings, _errors():
        number = create_bucket(settings.database_url or "")
    console().print(f"Added bucket {number}. Start the servers and workers again.")


@app.command()
def assign(
    organization: Organization, bucket: OptionalNumber = None, anywhere: Any = False, data_dir: DataDir = None
) -> None:
    """Put all new rooms of an organization into one bucket. Its other rooms stay where they are."""
    if (bucket is None) is not anywhere:
        raise CommandError("choose a bucket, or --any")

    async def choose(call: CommandCall) -> str:
        chosen = await find_organization(call, organization)
        await assign_bucket(call, chosen, bucket)
        return chosen.name

    with _errors():
        name = act(data_dir, choose)
    where = "the bucket with the fewest messages" if bucket is None else f"bucket {bucket}"
    console().print(f"New rooms of {name} go into {where}.", markup=False)


@app.command()
def move(room: Room, bucket: Number, data_dir: DataDir = None) -> None:
    """Move a room with all its messages to another bucket, completely or not at all.

    Stop every server and worker first: they know where rooms are.
    """
    with _errors():
        name = act(data_dir, lambda call: move_room(call, room, bucket))
    console().print(f"{name} is in bucket {bucket}.", markup=False)


@app.command()
def place(
    bucket: Number,
    tablespace: Annotated[str, typer.Argument(metavar="TABLESPACE", help="The name of a tablespace of PostgreSQL.")],
    data_dir: DataDir = None,
) -> None:
    """Move all tables and indexes of a bucket to another disk, completely or not at all.

    Stop every server and worker first: tables are locked while they are copied.
    """
    with open_database(settings_with(data_dir=data_dir)) as settings, _errors():
        place_bucket(settings.database_url or "", bucket, tablespace)
    console().print(f"Bucket {bucket} is in the tablespace {tablespace}.", markup=False)


@contextmanager
def _errors() -> Iterator[None]:
    try:
        yield
    except (StillRunning, BucketNotFound, CannotPlace) as error:
        raise CommandError(str(error)) from None


def _row(bucket: BucketInfo) -> Row:
    return {
        "bucket": bucket.bucket, "rooms": bucket.rooms, "messages": bucket.messages, "size": decimal(bucket.bytes),
        "tablespace": bucket.tablespace, "new rooms of": ", ".join(bucket.organizations),
    }  # fmt: skip
