"""Make signals interrupt a command as Ctrl-C does, so that it cleans up."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def interruptible() -> Iterator[threading.Event]:
    """Raise KeyboardInterrupt on the first SIGTERM or SIGHUP; a second one often follows. An ignored signal (nohup)
    stays ignored. Yield an event that is set then, for what must not wait while the command cleans up."""
    interrupted = threading.Event()

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        for each in SIGNALS:
            signal.signal(each, signal.SIG_IGN)
        interrupted.set()
        raise KeyboardInterrupt

    before = {each: signal.getsignal(each) for each in SIGNALS}
    for each in SIGNALS:
        if before[each] is not signal.SIG_IGN:
            signal.signal(each, interrupt)
    try:
        yield interrupted
    finally:
        for each in SIGNALS:
            signal.signal(each, before[each])
