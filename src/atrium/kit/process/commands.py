"""A minimal environment for subprocesses."""

import os
from collections.abc import Mapping

INHERITED = ("PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "LD_LIBRARY_PATH")


def minimal_environment() -> Mapping[str, str]:
    """Return the environment variables that programs need, without settings, keys and passwords."""
    return {name: os.environ[name] for name in INHERITED if name in os.environ}
