"""Running other programs: with an environment that holds none of this process's settings."""

import os
from collections.abc import Mapping

PASSED_ON = ("PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "LD_LIBRARY_PATH")


def small_environment() -> Mapping[str, str]:
    """Return the variables that programs need; the settings, with the keys and passwords among them, stay here."""
    return {name: os.environ[name] for name in PASSED_ON if name in os.environ}
