"""Make signals interrupt a command as Ctrl-C does, so that it cleans up."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise KeyboardInterrupt on the first SIGTERM or SIGHUP; a second one often follows. An ignored signal (nohup)
    stays ignored."""
    before = {each: signal.getsignal(each) for each in SIGNALS}
    for each in SIGNALS:
        if before[each] is not signal.SIG_IGN:
            signal.signal(each, _interrupt)
    try:
        yield
    finally:
        for each in SIGNALS:
            signal.signal(each, before[each])


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    for each in SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    raise KeyboardInterrupt
