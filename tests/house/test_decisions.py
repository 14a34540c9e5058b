"""Each page under docs/decisions has the four sections, is listed, and names files that exist."""

import re
from functools import cache
from pathlib import Path

from tests.house.sources import ROOT

FOLDER = ROOT / "docs" / "decisions"
PAGES = sorted(FOLDER.glob("0*.md"))
SECTIONS = ["Context", "Decision", "Why", "Consequences"]
# A path in the repository with its folder, such as `kit/postgres/locks.py`; a path may have a glob.
FILE = re.compile(r"`([\w*-]+(?:/[\w.*-]+)+\.(?:py|ts|tsx|mjs|md|json|sql|toml))`")
PLACES = ("", "src/atrium/", "ui/", "ui/src/")


@cache
def exists(path: str) -> bool:
    return any(True for place in PLACES for _ in ROOT.glob(place + path))


def headings(text: str) -> list[str]:
    """Return the sections of a page in order, without additional ones between the four."""
    return [each for each in re.findall(r"^## (.+)$", text, re.MULTILINE) if each in SECTIONS]


def follows_the_template(page: Path) -> bool:
    text = page.read_text()
    begins = re.match(r"# [A-Z].*[^.]\n\nStatus: (accepted|superseded by .+)\.\n\n## Context\n", text)
    return bool(begins) and headings(text) == SECTIONS


def test_decisions_follow_the_template() -> None:
    assert [page.name for page in PAGES if not follows_the_template(page)] == []


def test_files_that_decisions_name_exist() -> None:
    named = [(page.name, path) for page in [*PAGES, FOLDER / "README.md"] for path in FILE.findall(page.read_text())]
    assert [(page, path) for page, path in named if not exists(path)] == []


def test_every_decision_is_listed_once_and_in_order() -> None:
    listed = re.findall(r"^\| \[(\d{4})\]\(([\w-]+\.md)\) \|", (FOLDER / "README.md").read_text(), re.MULTILINE)
    assert [name for _, name in listed] == [page.name for page in PAGES]
    assert [number for number, _ in listed] == [page.name[:4] for page in PAGES]


def test_the_checks_find_violations() -> None:
    assert headings("## Why\n## Context\n") != SECTIONS
    assert FILE.findall("`kit/nowhere.py` and `make lint`") == ["kit/nowhere.py"]
    assert not exists("kit/nowhere.py")
    assert exists("kit/postgres/locks.py")
