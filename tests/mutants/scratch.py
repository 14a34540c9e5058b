"""A copy of the source in which one fault at a time stands, and the tests run against it."""

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
from tests.mutants.prepared import FOLDER, URL

ROOT = Path(__file__).parents[2]
LONGEST = 900  # seconds that the tests of one mutation may take
NEEDLESS = ("cacheprovider", "faker", "schemathesis", "xdist")  # two seconds of imports
PLUGINS = ["-p", "tests.mutants.prepared", *(word for name in NEEDLESS for word in ("-p", f"no:{name}"))]
NOTICED = re.compile(r"^FAILED (tests/\S+)", re.MULTILINE)


@dataclass(frozen=True)
class Outcome:
    """The tests that failed, the last line that pytest said, and whether all went well. What could not even begin is
    no test that failed."""

    failed: list[str]
    output: str
    passed: bool


class Bench:
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
        """The fault is in the copy meanwhile. Raises NoLongerAppliesError."""
        place = self.src / "atrium" / mutation.file
        source = place.read_text()
        _write(place, mutation.applied(source))
        try:
            yield
        finally:
            _write(place, source)

    def run(self, tests: Iterable[str], *, fresh: bool = False, first: bool = True) -> Outcome:
        """Run tests against the copy, up to the first that fails where no more is asked for.

        `fresh` has the database made by the copy's migrations.
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
            process.send_signal(signal.SIGINT)  # so that what the tests started is ended
            process.communicate(timeout=60)
            return Outcome(["(no end)"], "no end", False)
        return Outcome(NOTICED.findall(output), output.strip().splitlines()[-1], process.returncode == 0)


@contextmanager
def bench() -> Iterator[Bench]:
    """A copy of the source that is gone afterwards."""
    with scratch_folder() as folder, own_postgres() as settings:
        yield Bench(folder, settings.database_url or "")


def _write(place: Path, source: str) -> None:
    """Python recognizes outdated bytecode by size and second of change, which may both be the same."""
    place.write_text(source)
    if place.suffix == ".py":
        Path(cache_from_source(str(place))).unlink(missing_ok=True)
