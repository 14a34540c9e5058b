"""For each fault, the test that is named for it fails."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from atrium.kit.settings import Settings
from tests.conftest import _template_folder, own_postgres
from tests.mutants.faults import FAULTS
from tests.mutants.plugin import FOLDER, URL

ROOT = Path(__file__).parents[2]
NEEDLESS = ("cacheprovider", "xdist")  # imports take time
PLUGINS = ["-p", "tests.mutants.plugin", *(word for name in NEEDLESS for word in ("-p", f"no:{name}"))]


@pytest.fixture(scope="module")
def postgres() -> Iterator[Settings]:
    """Run a PostgreSQL for all faults."""
    with own_postgres() as settings:
        yield settings


@pytest.mark.parametrize("name", FAULTS)
def test_a_test_finds_the_fault(postgres: Settings, tmp_path: Path, name: str) -> None:
    environment = {
        **os.environ,
        "MUTANTS_FAULT": name,
        FOLDER: str(_template_folder()),
        URL: postgres.database_url or "",
        "PYTHONPATH": f"{ROOT / 'tests' / 'mutants' / 'start'}:{ROOT}",
        "HYPOTHESIS_STORAGE_DIRECTORY": str(tmp_path),
    }
    command = [sys.executable, "-m", "pytest", "-x", "-rf", "--tb=line", *PLUGINS, FAULTS[name].test]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    output = done.stdout + done.stderr
    assert "Error in sitecustomize" not in output, output  # the fault could not be made
    assert re.search(r"^FAILED tests/", output, re.MULTILINE), output[-3000:]
