"""Hash passwords with Argon2, in threads.

A hash takes 64 MiB and tens of milliseconds on several cores, so a process computes two at a time; requests beyond a
queue of 64 get a 503.
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
MAX_CONCURRENT, MAX_QUEUED = 2, 64
_threads = ThreadPoolExecutor(MAX_CONCURRENT, thread_name_prefix="password")
_waiting: set[object] = set()
_hasher = PasswordHasher()  # the parameters of RFC 9106 for less memory


async def hash_password(password: str) -> str:
    """Return the hash of a password. Raise Unavailable if too many requests wait."""
    return await _in_thread(lambda: _hasher.hash(_normal(password)))


async def matches(hashed: str | None, password: str) -> bool:
    """Return whether the password has this hash. Without a hash, return False after the same time."""
    return await _in_thread(lambda: _verify(hashed, _normal(password)))


def is_outdated(hashed: str) -> bool:
    """Return whether the hash was created with other parameters than the current ones."""
    return _hasher.check_needs_rehash(hashed)


def _verify(hashed: str | None, password: str) -> bool:
    try:
        _hasher.verify(hashed or _dummy_hash(), password)
    except (VerificationError, InvalidHashError):
        return False
    return hashed is not None


@cache
def _dummy_hash() -> str:
    """Return a dummy hash, so that accounts without a password take the same time."""
    return _hasher.hash("nobody's")


def _normal(password: str) -> str:
    """Normalize a password, so that the same characters from another keyboard match (NIST SP 800-63B, 5.1.1.2)."""
    return unicodedata.normalize("NFKC", password)


async def _in_thread(work: Callable[[], T]) -> T:
    if len(_waiting) >= MAX_CONCURRENT + MAX_QUEUED:
        raise Unavailable("Too many people are signing in. Retry in a moment.")
    ticket = object()
    _waiting.add(ticket)
    try:
        return await asyncio.get_running_loop().run_in_executor(_threads, work)
    finally:
        _waiting.discard(ticket)
