"""`make help` lists every public target, and `make setup` prints its steps."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.house.sources import ROOT

MAKEFILE = (ROOT / "Makefile").read_text()
TARGETS = {name for names in re.findall(r"^\.PHONY: (.+)$", MAKEFILE, re.M) for name in names.split()}
STEPS = (
    "$(VENV)/bin/pip", "$(VENV)/.ready", "$(VENV)/.ready-dev", "ui/node_modules/.ready", "ui/build/.described",
    "ui/src/api/schema.ts", "src/atrium/server/ui/index.html", "$(TYPESCRIPT)/build/.packed",
)  # fmt: skip


def run_make(folder: Path, *words: str) -> str:
    done = subprocess.run(
        [shutil.which("make") or "make", "--no-print-directory", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stderr == ""
    return done.stdout


def recipe(target: str) -> list[str]:
    found = re.search(rf"^{re.escape(target)}:[^=].*\n((?:\t.*\n)+)", MAKEFILE, re.M)
    assert found, target
    return found[1].splitlines()


def test_help_lists_every_target_once_with_its_description() -> None:
    listed = [re.split(" +", line, maxsplit=2) for line in run_make(ROOT, "help").splitlines()]
    assert {words[0] for words in listed} == {"make"}
    assert sorted(words[1] for words in listed) == sorted(TARGETS)
    assert all(len(words[2]) > 8 for words in listed)


@pytest.mark.parametrize("target", STEPS)
def test_a_setup_step_prints_what_it_does_and_no_command(target: str) -> None:
    lines = recipe(target)
    assert any(line.startswith('\t@echo "') for line in lines)
    assert all(line.startswith("\t@") for line in lines)


def test_a_setup_prints_nothing_if_nothing_is_to_be_done(tmp_path: Path) -> None:
    """A folder with the Makefile in which every target is up to date."""
    (tmp_path / "Makefile").write_text(MAKEFILE)
    sources = ["requirements.txt", "pyproject.toml", "ui/package.json", "ui/package-lock.json", "ui/scripts/openapi.py"]
    sources += [f"ui/{name}" for name in ("index.html", "vite.config.ts", "scripts/firstLoad.ts", "tsconfig.json")]
    products = [
        ".venv/bin/pip",
        ".venv/.ready",
        "ui/node_modules/.ready",
        "ui/build/.described",
        "ui/build/openapi.json",
    ]
    products += ["ui/src/api/schema.ts", "src/atrium/server/ui/index.html"]
    for name in (*sources, *products):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    shown = run_make(tmp_path, "setup").splitlines()
    assert [line for line in shown if not line.startswith("Node.js 20.19 or later")] == []
    (tmp_path / ".venv" / ".ready").unlink()
    shown = run_make(tmp_path, "--dry-run", "setup").splitlines()
    assert 'echo "Installing requirements.txt into .venv"' in shown
