"""A copy of the source with one fault at a time, and the tests that run against it."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import cache_from_source
from pathlib import Path

from tests.conftest import _prepared, own_postgres, scratch_folder
from tests.mutants.mutation import Mutation
from tests.mutants.plugin import FOLDER, URL

ROOT = Path(__file__).parents[2]
LONGEST = 900  # seconds that the tests of a mutation may take
NEEDLESS = ("cacheprovider", "faker", "schemathesis", "xdist")  # imports take two seconds
PLUGINS = ["-p", "tests.mutants.plugin", *(word for name in NEEDLESS for word in ("-p", f"no:{name}"))]
NOTICED = re.compile(r"^FAILED (tests/\S+)", re.MULTILINE)


@dataclass(frozen=True)
class Outcome:
    """The failed tests, pytest's last line, and whether all passed. A run that could not start is no failed test."""

    failed: list[str]
    output: str
    passed: bool


class WorkingCopy:
    """The copy, in `folder`."""

    def __init__(self, folder: Path, database_url: str) -> None:
        self.src = folder / "src"
        shutil.copytree(ROOT / "src", self.src)
        self._environment = {
            **os.environ,
            "PYTHONPATH": str(self.src),
            "HYPOTHESIS_STORAGE_DIRECTORY": str(folder / "hypothesis"),
            FOLDER: str(_prepared()),
            URL: database_url,
        }

    @contextmanager
    def with_fault(self, mutation: Mutation) -> Iterator[None]:
        """Apply the fault to the copy. Raise NoLongerAppliesError."""
        place = self.src / "atrium" / mutation.file
        source = place.read_text()
        _write(place, mutation.applied(source))
        try:
            yield
        finally:
            _write(place, source)

    def run(self, tests: Iterable[str], *, fresh: bool = False, first: bool = True) -> Outcome:
        """Run tests against the copy, up to the first failure unless `first` is false.

        With `fresh`, the copy's migrations create the database.
        """
        environment = {**self._environment, FOLDER: ""} if fresh else self._environment
        command = [sys.executable, "-m", "pytest", "-rf", "--tb=line", f"--timeout={LONGEST // 2}", *PLUGINS]
        command += [*(["-x"] if first else []), *tests]
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )  # fmt: skip
        try:
            output, _ = process.communicate(timeout=LONGEST)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)  # so that processes started by the tests end
            process.communicate(timeout=60)
            return Outcome(["(no end)"], "no end", False)
        return Outcome(NOTICED.findall(output), output.strip().splitlines()[-1], process.returncode == 0)


@contextmanager
def working_copy() -> Iterator[WorkingCopy]:
    """Yield a copy of the source; delete it afterwards."""
    with scratch_folder() as folder, own_postgres() as settings:
        yield WorkingCopy(folder, settings.database_url or "")


def _write(place: Path, source: str) -> None:
    """Write the file with a new time: Python detects outdated bytecode by size and second of change, which may be
    equal.
    """
    place.write_text(source)
    if place.suffix == ".py":
        Path(cache_from_source(str(place))).unlink(missing_ok=True)
