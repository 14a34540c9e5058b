"""Copy media: read a few parts of files concurrently, write them back one by one."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import Enum, auto
from zipfile import ZipFile

from atrium.backups.archive import MEDIA, PIECE, Media, Progress, content_of, put_piece
from atrium.backups.database import Piece
from atrium.kit.storage import Storage, StorageUnavailable

CONCURRENT = 8  # pieces of at most 4 MiB


class MediaNotFound(Exception):
    """None of the media that the database refers to is in the storage, so it is the wrong storage."""


class Defect(Enum):
    """The reason why a piece cannot be copied: it is missing, or its size is wrong."""

    MISSING = auto()
    DAMAGED = auto()


def copy_out(storage: Storage, pieces: Sequence[Piece], archive: ZipFile, progress: Progress) -> Media:
    """Write the pieces, except those that are missing or have the wrong size.

    Raise StorageUnavailable; raise MediaNotFound if all of several pieces are missing.
    """
    total, count, done = sum(piece.size for piece in pieces), 0, 0
    defects: dict[Defect, list[str]] = {Defect.MISSING: [], Defect.DAMAGED: []}
    with asyncio.Runner() as runner:
        for start in range(0, len(pieces), CONCURRENT):
            batch = pieces[start : start + CONCURRENT]
            for piece, content in zip(batch, runner.run(_read(storage, batch)), strict=True):
                if isinstance(content, Defect):
                    defects[content].append(piece.name)
                    continue
                put_piece(archive, piece.name, content)
                count, done = count + 1, done + len(content)
                progress("Media", done, total)
    if 1 < len(pieces) == len(defects[Defect.MISSING]):
        raise MediaNotFound(f"none of the {len(pieces)} media parts that the database refers to is")
    return Media(count, done, defects[Defect.MISSING], defects[Defect.DAMAGED])


async def _read(storage: Storage, pieces: Sequence[Piece]) -> list[bytes | Defect]:
    return await asyncio.gather(*(_content(storage, piece) for piece in pieces))


async def _content(storage: Storage, piece: Piece) -> bytes | Defect:
    try:
        content = b"".join([chunk async for chunk in storage.read(piece.name, 0, piece.size)])
    except StorageUnavailable as error:
        if isinstance(error.__cause__, FileNotFoundError):
            return Defect.MISSING
        if await storage.size(piece.name) != piece.size:  # no range of an empty object can be read
            return Defect.DAMAGED
        raise
    return content if len(content) == piece.size else Defect.DAMAGED


def copy_in(storage: Storage, archive: ZipFile, progress: Progress) -> None:
    """Write all pieces to the storage. Raise StorageUnavailable, BrokenBackup."""
    sizes = {entry.filename: entry.file_size for entry in archive.infolist() if PIECE.fullmatch(entry.filename)}
    total, done = sum(sizes.values()), 0
    with ThreadPoolExecutor(1) as thread:  # an interrupt waits for the current piece, so that none is written later
        for name, size in sizes.items():
            thread.submit(_put, storage, name.removeprefix(MEDIA), b"".join(content_of(archive, name))).result()
            done += size
            progress("Media", done, total)


def _put(storage: Storage, name: str, content: bytes) -> None:
    asyncio.run(storage.put(name, content))


def remove_all(storage: Storage, archive: ZipFile) -> list[str]:
    """Remove the media of a backup whose restore failed.

    Return the folders that may be left, starting with the one at which the storage failed.
    """
    folders = sorted({name.split("/")[1] for name in archive.namelist() if PIECE.fullmatch(name)})
    with asyncio.Runner() as runner:
        for at, folder in enumerate(folders):
            try:
                runner.run(storage.delete(folder))
            except StorageUnavailable:
                return folders[at:]
    return []
