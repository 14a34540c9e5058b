"""`make lint` finds a cliché in the docs and ignores code blocks."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.sources import ROOT

PROSELINT = Path(sys.executable).with_name("proselint")
CODE = '```sh\ncurl -d "Hello ..." "$URL"\n```\n'


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("## Tests\n\nTests send requests.\n" + CODE, ""),
        ("At the end of the day, it works.\n", "cliches"),
        ("Each and every message is kept.\n", "redundancy"),
    ],
)
def test_a_cliche_is_found_in_prose_and_ignored_in_code(text: str, found: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(text)
    done = subprocess.run(
        [PROSELINT, "check", "--config", ROOT / "proselint.json", page],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert bool(done.returncode) is bool(found)
    assert found in done.stdout + done.stderr


def test_the_lint_reads_every_page_of_the_docs() -> None:
    command = subprocess.run(
        ["make", "--no-print-directory", "--dry-run", "lint"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    ).stdout
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    checked = command.partition("proselint check")[2].split()
    assert [str(page.relative_to(ROOT)) for page in pages if str(page.relative_to(ROOT)) not in checked] == []
