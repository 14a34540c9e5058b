"""Hide secrets in a command's arguments from other users of the machine."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

SECRETS = ("whsec_", "atro_", "atrp_")  # how secrets and keys begin


def hide_secrets(arguments: Sequence[str]) -> None:
    """Overwrite secrets in the arguments with stars, because `ps` shows them to every user.

    Works only on Linux: other systems do not let a process find its arguments in memory.
    """
    secrets = [given[at:].encode() for given in arguments for mark in SECRETS if (at := given.find(mark)) >= 0]
    if not secrets:
        return
    with suppress(OSError, ValueError, IndexError):
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        start, end = int(fields[45]), int(fields[46])  # arg_start and arg_end of proc(5), which counts from 3 here
        with Path("/proc/self/mem").open("r+b", buffering=0) as memory:
            memory.seek(start)
            shown = memory.read(end - start)
            for secret in secrets:
                shown = shown.replace(secret, b"*" * len(secret))
            memory.seek(start)
            memory.write(shown)
