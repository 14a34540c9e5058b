"""The TypeScript client as a program that installed it has it: unpacked from the file that `make typescript` builds."""

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.house.sources import ROOT

BUILT = ROOT / "clients" / "typescript" / "build" / "tests"  # the compiled tests


def install(home: Path) -> Path:
    """Install the client into a folder, with the tests that are run there. Skip the test if it is not built."""
    packed = sorted((ROOT / "dist").glob("atrium-client-*.tgz"))
    if not packed or not BUILT.exists():
        pytest.skip("the TypeScript client is not built (`make typescript-check`): there is no Node.js here")
    place = home / "node_modules" / "@atrium" / "client"
    place.mkdir(parents=True)
    subprocess.run(["tar", "-xzf", packed[-1], "-C", place, "--strip-components=1"], check=True)
    (home / "package.json").write_text('{"type": "module"}')
    shutil.copytree(BUILT, home / "tests")
    return home


def run_node(home: Path, environment: Mapping[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Node.js there."""
    command = ["node", *arguments]
    return subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, check=False)
