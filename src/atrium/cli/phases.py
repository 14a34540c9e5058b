"""Progress bars and notes for long commands."""

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)

from atrium.cli.output import console
from atrium.cli.printable import printable


def line(text: object) -> str:
    """Return text in one line without control characters."""
    return " ".join(printable(str(text)).split())


def note(to: Console, text: object) -> None:
    """Print a note."""
    to.print(f"[yellow]Note:[/] {escape(line(text))}")


def bars(*columns: ProgressColumn) -> Progress:
    """Return progress bars with elapsed time on standard error, none if it is not a terminal."""
    error = console(stderr=True, wrap=True)
    return Progress(*columns, TimeElapsedColumn(), console=error, disable=not error.is_terminal)


class Phases:
    """Progress bars for the phases of a command. Call it with the phase, the amount done and the total."""

    def __init__(self) -> None:
        self._progress = bars(TextColumn("{task.description:10}"), BarColumn(bar_width=40), TaskProgressColumn())
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        self._progress.stop()

    def __call__(self, phase: str, done: int, of: int) -> None:
        """Update the bar of a phase."""
        if phase not in self._tasks:
            self._tasks[phase] = self._progress.add_task(phase)
        self._progress.update(self._tasks[phase], completed=done, total=of)
