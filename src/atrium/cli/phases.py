"""What long commands show: bars for what goes on in phases, and text from files and paths."""

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

from atrium.cli.printable import printable
from atrium.cli.shown import console


def line(text: object) -> str:
    """Text from elsewhere in one line that a terminal only shows."""
    return " ".join(printable(str(text)).split())


def note(to: Console, text: object) -> None:
    """Say something that is no failure and has to be seen."""
    to.print(f"[yellow]Note:[/] {escape(line(text))}")


def bars(*columns: ProgressColumn) -> Progress:
    """Progress bars on standard error, with the time that they took; none where that is no terminal."""
    error = console(stderr=True, wrap=True)
    return Progress(*columns, TimeElapsedColumn(), console=error, disable=not error.is_terminal)


class Phases:
    """Called with a phase, how much of it is done, and of how much."""

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
        """Move the bar of the phase."""
        if phase not in self._tasks:
            self._tasks[phase] = self._progress.add_task(phase)
        self._progress.update(self._tasks[phase], completed=done, total=of)
