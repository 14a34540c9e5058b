"""Create, check and hash the text of API keys (docs/contract.md#roles-and-keys).

A key is `atro_` (organization), `atrp_` (personal) or `atrs_` (a browser session, in a cookie), 30 random base62
characters, and a CRC32 of all that in 6 base62 characters, so that a scanner or client can reject a mistyped key. Only
the SHA-256 hash is stored.
"""

import secrets
import string
from functools import lru_cache
from hashlib import sha256
from zlib import crc32

from atrium.kit.errors import Unauthenticated
from atrium.kit.http.request import SESSION_PREFIX

BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
ORGANIZATION_PREFIX, PERSONAL_PREFIX = "atro_", "atrp_"
PREFIXES = (ORGANIZATION_PREFIX, PERSONAL_PREFIX, SESSION_PREFIX)
RANDOM_LENGTH, CHECK_LENGTH = 30, 6
LENGTH = len(ORGANIZATION_PREFIX) + RANDOM_LENGTH + CHECK_LENGTH


def mint(prefix: str) -> str:
    """Return a new key with a prefix."""
    body = prefix + "".join(secrets.choice(BASE62) for _ in range(RANDOM_LENGTH))
    return body + _checksum(body)


def is_well_formed(key: str) -> bool:
    """Return whether a key has the format and the checksum of a minted one."""
    body, check = key[:-CHECK_LENGTH], key[-CHECK_LENGTH:]
    return len(key) == LENGTH and key.startswith(PREFIXES) and key.isascii() and check == _checksum(body)


def hash_of(key: str) -> bytes:
    """Return the SHA-256 hash under which a key, or the token of a link, is stored."""
    return sha256(key.encode()).digest()


@lru_cache(4096)
def checked_hash(key: str) -> bytes:
    """Return the hash of a key. Raise Unauthenticated if it is not well-formed."""
    if not is_well_formed(key):
        raise Unauthenticated("The API key is malformed. Check that you copied it completely.")
    return hash_of(key)


def _checksum(body: str) -> str:
    number, digits = crc32(body.encode("utf-8", "surrogatepass")), ""
    for _ in range(CHECK_LENGTH):
        number, digit = divmod(number, 62)
        digits = BASE62[digit] + digits
    return digits
