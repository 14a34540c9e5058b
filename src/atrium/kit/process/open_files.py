"""How many files and connections a process can open."""

import contextlib
import resource
import sys

RESERVED_FILES = 300  # of an HTTP process: files that are not connections of clients
CONNECTIONS = 4000  # besides those of streams; one that is silent is closed after half a minute


def raise_open_files() -> int:
    """Raise the limit of open files, of which each connection is one, as far as allowed. Return the limit."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if limit == resource.RLIM_INFINITY else limit


def max_connections(limit: int, streams: int) -> int:
    """Return how many connections an HTTP process with this limit of open files accepts; further ones wait.

    A process that runs out of files would use all its time to accept the next connection in vain.
    """
    return min(CONNECTIONS + streams, max(limit - RESERVED_FILES, limit // 3))
