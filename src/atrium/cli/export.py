"""`atrium export`: export a room's history, read through the API."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated
from uuid import UUID

import httpx
import msgspec
import typer
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from atrium.cli.client_errors import command_error
from atrium.cli.errors import CommandError
from atrium.cli.installation import DataDir, open_database, settings_with
from atrium.cli.output import console
from atrium.cli.phases import bars
from atrium.client import AsyncAtrium, AsyncRoom, AtriumError, Position, Retries, RoomInfo, RoomPage
from atrium.kit.clock import parse_time, utc_now
from atrium.kit.settings import Settings

RoomId = Annotated[UUID, typer.Argument(metavar="ROOM", help="Id of the room.", show_default=False)]
Output = Annotated[Path, typer.Option("--output", metavar="FILE.jsonl", help="The file to write, a message per line.")]
Url = Annotated[str | None, typer.Option(metavar="URL", help="The server to read from; by default, the data folder.")]
Key = Annotated[str | None, typer.Option(envvar="ATRIUM_KEY", metavar="KEY", help="A key with access to the room.")]


class MessagePosition(msgspec.Struct):
    """The position of a message in history."""

    room_id: UUID
    message_id: UUID
    sent_at: datetime

    @property
    def position(self) -> Position:
        """Return the position in the client's format."""
        return Position(self.sent_at, self.message_id)


@dataclass
class PartialExport:
    """The unfinished file, its number of messages, and the position of the last one."""

    path: Path
    count: int = 0
    last: MessagePosition | None = None


def export(room: RoomId, output: Output, url: Url = None, key: Key = None, data_dir: DataDir = None) -> None:
    """Export every message of a room to a file, newest first, one JSON object per line, as the API returns it.

    The messages are written to FILE.jsonl.part, which is renamed to FILE.jsonl when it is complete. Run an interrupted
    export again to continue it; the file then has the history as of its start.
    """
    if not key:
        raise CommandError("no key: pass --key or set ATRIUM_KEY to a key with access to the room")
    if output.is_dir() or not output.parent.is_dir():
        raise CommandError(
            f"cannot write {output}: {'it is a folder' if output.is_dir() else 'the folder does not exist'}"
        )
    part = _resume(output.with_name(f"{output.name}.part"), room)
    if url is not None:
        asyncio.run(_from_server(url, key, room, part))
    else:
        with open_database(settings_with(data_dir=data_dir, rate_limit=0)) as settings:
            asyncio.run(_from_folder(settings, key, room, part))
    part.path.replace(output)
    console().print(f"{part.count:,} messages in {output}", markup=False)


async def _from_server(url: str, key: str, room: UUID, part: PartialExport) -> None:
    try:
        client = AsyncAtrium(url, key, timeout=60)
    except ValueError as error:
        raise CommandError(str(error)) from None
    async with client:
        await _export(client, room, part)


async def _from_folder(settings: Settings, key: str, room: UUID, part: PartialExport) -> None:
    failure: CommandError | None = None
    async with _in_process(settings, key) as client:
        try:
            await _export(client, room, part)
        except CommandError as error:  # raised in the block, it would become an exception group
            failure = error
    if failure is not None:
        raise failure


@asynccontextmanager
async def _in_process(settings: Settings, key: str) -> AsyncIterator[AsyncAtrium]:
    """Open the API without a server: the application runs in this process, on the data folder."""
    from atrium.server.app import create_app  # noqa: PLC0415 - importing the server takes half a second, and --url does not need it

    app = create_app(settings.model_copy(update={"metrics_port": None, "metrics_token": None, "otlp_endpoint": None}))
    logging.getLogger().setLevel(logging.WARNING)  # do not log each request
    async with app.lifespan():
        transport = httpx.ASGITransport(app=app)
        async with AsyncAtrium("http://atrium.local", key, transport=transport) as client:
            yield client


async def _export(client: AsyncAtrium, room: UUID, part: PartialExport) -> None:
    try:
        await _write(client, client.room(room), part)
    except AtriumError as error:
        raise command_error(error) from None


async def _write(client: AsyncAtrium, room: AsyncRoom, part: PartialExport) -> None:
    retries, client.retries = client.retries, Retries(retry_unreachable=False)
    found = await room.read()  # fail immediately if the server is unreachable or rejects the request
    client.retries = retries
    with _progress() as progress, part.path.open("ab") as file:
        task = _start(progress, found, part)
        async for page in room.pages(before=part.last.position if part.last else None):
            file.writelines(_line(message) for message in page.messages)
            file.flush()
            part.count += len(page.messages)
            _show_page(progress, task, page, part.count)
        os.fsync(file.fileno())


def _line(message: msgspec.Raw) -> bytes:
    raw = bytes(message)
    return (msgspec.json.format(raw, indent=-1) if b"\n" in raw else raw) + b"\n"


def _resume(path: Path, room: UUID) -> PartialExport:
    """Read an unfinished export and remove an incomplete last line. Raise CommandError."""
    if not path.exists():
        return PartialExport(path)
    count, end, last = 0, 0, b""
    with path.open("r+b") as file:
        for line in file:
            if line.endswith(b"\n"):
                count, end, last = count + 1, end + len(line), line
        if not count:
            file.truncate(0)
            return PartialExport(path)
        place = _place_of(last, room, path)
        file.truncate(end)
    return PartialExport(path, count, place)


def _place_of(line: bytes, room: UUID, path: Path) -> MessagePosition:
    try:
        place = msgspec.json.decode(line, type=MessagePosition)
    except msgspec.DecodeError:
        raise CommandError(f"{path} is not an unfinished export; remove it or choose another --output") from None
    if place.room_id != room:
        raise CommandError(f"{path} is an unfinished export of the room {place.room_id}; remove it or export that room")
    return place


def _progress() -> Progress:
    count, reached = TextColumn("{task.fields[count]:,} messages"), TextColumn("back to {task.fields[reached]}")
    return bars(TextColumn("Exporting"), BarColumn(), count, reached)


def _start(progress: Progress, room: RoomInfo, part: PartialExport) -> TaskID:
    """Show progress in time: from now back to the creation of the room."""
    if part.last is not None:
        note = f"Continuing after the {part.count:,} messages in {part.path}. Remove it to start over."
        progress.console.print(note, markup=False, soft_wrap=True)
    whole = (utc_now() - room.created_at).total_seconds()
    return progress.add_task("", total=max(whole, 1.0), count=part.count, reached="now")


def _show_page(progress: Progress, task: TaskID, page: RoomPage, count: int) -> None:
    reached = (page.next_cursor_sent_at if page.shard_has_more else None) or page.next_partition_cursor
    done = (utc_now() - parse_time(reached)).total_seconds()
    progress.update(task, completed=done, count=count, reached=reached[:10])
