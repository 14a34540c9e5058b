"""The media: read a few pieces at once, put back one by one."""

import asyncio
from collections.abc import Sequence
from zipfile import ZipFile

from atrium.backups.archive import MEDIA, PIECE, Media, Tell, content_of, put_piece
from atrium.backups.database import Piece
from atrium.kit.storage import Storage, StorageUnavailable

AT_ONCE = 8  # pieces of at most 4 MiB


def copy_out(storage: Storage, pieces: Sequence[Piece], archive: ZipFile, tell: Tell) -> Media:
    """Write the pieces. Raises StorageUnavailable; a piece that is not there is noted and passed over."""
    total, count, done = sum(piece.size for piece in pieces), 0, 0
    missing = []
    with asyncio.Runner() as runner:
        for start in range(0, len(pieces), AT_ONCE):
            some = pieces[start : start + AT_ONCE]
            for piece, content in zip(some, runner.run(_read(storage, some)), strict=True):
                if content is None:
                    missing.append(piece.name)
                    continue
                put_piece(archive, piece.name, content)
                count, done = count + 1, done + len(content)
                tell("Media", done, total)
    return Media(count, done, missing)


async def _read(storage: Storage, pieces: Sequence[Piece]) -> list[bytes | None]:
    return await asyncio.gather(*(_content(storage, piece) for piece in pieces))


async def _content(storage: Storage, piece: Piece) -> bytes | None:
    try:
        return b"".join([chunk async for chunk in storage.read(piece.name, 0, piece.size)])
    except StorageUnavailable as error:
        if isinstance(error.__cause__, FileNotFoundError):
            return None
        raise


def copy_in(storage: Storage, archive: ZipFile, tell: Tell) -> None:
    """Put all pieces into the storage. Raises StorageUnavailable, BrokenBackup."""
    sizes = {each.filename: each.file_size for each in archive.infolist() if PIECE.fullmatch(each.filename)}
    total, done = sum(sizes.values()), 0
    with asyncio.Runner() as runner:
        for name, size in sizes.items():
            runner.run(storage.put(name.removeprefix(MEDIA), b"".join(content_of(archive, name))))
            done += size
            tell("Media", done, total)


def take_out(storage: Storage, archive: ZipFile) -> None:
    """Remove the media of a backup that is not restored after all."""
    folders = {name.split("/")[1] for name in archive.namelist() if PIECE.fullmatch(name)}
    with asyncio.Runner() as runner:
        for folder in sorted(folders):
            runner.run(storage.delete(folder))
