"""The media: read a few pieces at once, put back one by one."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import Enum, auto
from zipfile import ZipFile

from atrium.backups.archive import MEDIA, PIECE, Media, Tell, content_of, put_piece
from atrium.backups.database import Piece
from atrium.kit.storage import Storage, StorageUnavailable

AT_ONCE = 8  # pieces of at most 4 MiB


class NoMedia(Exception):
    """Nothing of what the database names is in the storage: it is another one."""


class Lack(Enum):
    """Why a piece cannot be copied: it is not there, or not all of it."""

    MISSING = auto()
    DAMAGED = auto()


def copy_out(storage: Storage, pieces: Sequence[Piece], archive: ZipFile, tell: Tell) -> Media:
    """Write the pieces; one that is not there, or not of its size, is noted and passed over.

    Raises StorageUnavailable; NoMedia where of several none is there.
    """
    total, count, done = sum(piece.size for piece in pieces), 0, 0
    lacking: dict[Lack, list[str]] = {Lack.MISSING: [], Lack.DAMAGED: []}
    with asyncio.Runner() as runner:
        for start in range(0, len(pieces), AT_ONCE):
            some = pieces[start : start + AT_ONCE]
            for piece, content in zip(some, runner.run(_read(storage, some)), strict=True):
                if isinstance(content, Lack):
                    lacking[content].append(piece.name)
                    continue
                put_piece(archive, piece.name, content)
                count, done = count + 1, done + len(content)
                tell("Media", done, total)
    if 1 < len(pieces) == len(lacking[Lack.MISSING]):
        raise NoMedia(f"none of the {len(pieces)} pieces of media that the database names is")
    return Media(count, done, lacking[Lack.MISSING], lacking[Lack.DAMAGED])


async def _read(storage: Storage, pieces: Sequence[Piece]) -> list[bytes | Lack]:
    return await asyncio.gather(*(_content(storage, piece) for piece in pieces))


async def _content(storage: Storage, piece: Piece) -> bytes | Lack:
    try:
        content = b"".join([chunk async for chunk in storage.read(piece.name, 0, piece.size)])
    except StorageUnavailable as error:
        if isinstance(error.__cause__, FileNotFoundError):
            return Lack.MISSING
        if await storage.size(piece.name) != piece.size:  # of an empty one no range can be read
            return Lack.DAMAGED
        raise
    return content if len(content) == piece.size else Lack.DAMAGED


def copy_in(storage: Storage, archive: ZipFile, tell: Tell) -> None:
    """Put all pieces into the storage. Raises StorageUnavailable, BrokenBackup."""
    sizes = {each.filename: each.file_size for each in archive.infolist() if PIECE.fullmatch(each.filename)}
    total, done = sum(sizes.values()), 0
    with ThreadPoolExecutor(1) as apart:  # an interruption waits for the piece under way, so that none comes later
        for name, size in sizes.items():
            apart.submit(_put, storage, name.removeprefix(MEDIA), b"".join(content_of(archive, name))).result()
            done += size
            tell("Media", done, total)


def _put(storage: Storage, name: str, content: bytes) -> None:
    asyncio.run(storage.put(name, content))


def take_out(storage: Storage, archive: ZipFile) -> list[str]:
    """Remove the media of a backup that is not restored after all.

    Returns the folders that may be left, as the storage failed at the first of them.
    """
    folders = sorted({name.split("/")[1] for name in archive.namelist() if PIECE.fullmatch(name)})
    with asyncio.Runner() as runner:
        for at, folder in enumerate(folders):
            try:
                runner.run(storage.delete(folder))
            except StorageUnavailable:
                return folders[at:]
    return []
