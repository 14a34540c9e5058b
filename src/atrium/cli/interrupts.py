"""Ending a command from outside as Ctrl-C ends it: everything that it began is put away."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

TOLD = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def interruptible() -> Iterator[None]:
    """SIGTERM and SIGHUP raise KeyboardInterrupt: the first of them, as another often follows while it has its effect.
    One that is ignored (nohup) stays so."""
    before = {each: signal.getsignal(each) for each in TOLD}
    for each in TOLD:
        if before[each] is not signal.SIG_IGN:
            signal.signal(each, _interrupt)
    try:
        yield
    finally:
        for each in TOLD:
            signal.signal(each, before[each])


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    for each in TOLD:
        signal.signal(each, signal.SIG_IGN)
    raise KeyboardInterrupt
