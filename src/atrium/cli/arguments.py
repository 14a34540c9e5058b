"""The arguments that a command was given, as other people of the machine see them."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

SECRETS = ("whsec_", "atro_", "atrp_")  # how secrets and keys begin


def hide_secrets(arguments: Sequence[str]) -> None:
    """Write stars over the secrets among the arguments, which `ps` shows to everyone on the machine.

    Linux alone shows a process where its arguments lie; elsewhere they stay.
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
