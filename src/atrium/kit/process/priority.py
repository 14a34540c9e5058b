"""The priority of a process on its machine."""

import os
from contextlib import suppress
from pathlib import Path

AUTOGROUP = Path("/proc/self/autogroup")


def give_way(niceness: int) -> None:
    """Let other processes have the processor first, as `nice` does (0 to 19, 19 gives way most).

    Where Linux shares the processor among sessions, `nice` counts only between the processes of one session, and
    PostgreSQL has its own. So this process gets a session of its own, with that niceness.
    """
    with suppress(OSError):  # a sandbox may forbid it
        os.nice(niceness)
    with suppress(OSError):  # as before, or it leads a session already
        os.setsid()
    with suppress(OSError):  # Linux without autogroups, or another system
        AUTOGROUP.write_text(str(niceness))
