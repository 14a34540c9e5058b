"""Passwords: hashed by Argon2, off the event loop, a few at a time.

A hash takes 64 MiB and some hundredths of a second of several cores, so a process makes two at once; whoever would wait
behind very many others is told to come again instead.
"""

import asyncio
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from atrium.kit.errors import Unavailable

T = TypeVar("T")
AT_ONCE, MOST_WAITING = 2, 64
_threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="password")
_waiting: set[object] = set()
_hasher = PasswordHasher()  # the parameters of RFC 9106 for less memory


async def hash_password(password: str) -> str:
    """What is kept of a password. Raises Unavailable where too many wait."""
    return await _in_thread(lambda: _hasher.hash(_normal(password)))


async def matches(kept: str | None, password: str) -> bool:
    """Whether the password is the one that is kept; where there is none, no, after the same time."""
    return await _in_thread(lambda: _verify(kept, _normal(password)))


def is_outdated(kept: str) -> bool:
    """Whether the hash was made with other parameters than the present ones."""
    return _hasher.check_needs_rehash(kept)


def _verify(kept: str | None, password: str) -> bool:
    try:
        _hasher.verify(kept or _nobodys(), password)
    except (VerificationError, InvalidHashError):
        return False
    return kept is not None


@cache
def _nobodys() -> str:
    """A hash to verify against where there is none."""
    return _hasher.hash("nobody's")


def _normal(password: str) -> str:
    """The same characters typed on another keyboard are the same password (NIST SP 800-63B, 5.1.1.2)."""
    return unicodedata.normalize("NFKC", password)


async def _in_thread(work: Callable[[], T]) -> T:
    if len(_waiting) >= AT_ONCE + MOST_WAITING:
        raise Unavailable("Too many are signing in at this moment; try again.")
    ticket = object()
    _waiting.add(ticket)
    try:
        return await asyncio.get_running_loop().run_in_executor(_threads, work)
    finally:
        _waiting.discard(ticket)
