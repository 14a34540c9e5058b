"""Every page and section that a comment, docstring or page cites exists."""

import re

import pytest

from tests.house.sources import ROOT
from tests.house.words import files

PAGE = re.compile(r"\b(docs/[\w/-]+\.md)(?:#([\w-]+))?")
DECISION = re.compile(r"\bdecisions? (\d{4})\b", re.IGNORECASE)
FOLDERS = ("src", "tests", "bench", "demo", "packaging", "ui")
OTHERS = {".sql", ".js", ".mjs", ".cjs", ".css", ".toml"}
BUILT = {"node_modules", "build", "assets"}  # of other authors
# Pages outside of the repository, which readers cannot look up.
OUTSIDE = re.compile(
    r"\b(decisions|architecture|interface|contract), (sections? \d|[A-Z][a-z]+ ?\w*\))|\binterface\.md\b"
)

# A path or a name that a page shows as code, such as `kit/clock.py`, `reach_…` or `record(Change(...))`.
NAME = re.compile(r"`([\w./-]+)(?:\([^`\n]*\)|…)?`")


def anchors(page: str) -> set[str]:
    """Return the anchors of a page's headings, as GitHub names them."""
    headings = re.findall(r"^#+ (.*)$", (ROOT / page).read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def leads_nowhere(page: str, anchor: str) -> bool:
    return not (ROOT / page).exists() or bool(anchor and anchor not in anchors(page))


def problems(text: str) -> list[str]:
    """Return the citations in a text that lead nowhere."""
    sections = [f"{page}#{anchor}" for page, anchor in PAGE.findall(text) if leads_nowhere(page, anchor)]
    decisions = [each for each in DECISION.findall(text) if not [*(ROOT / "docs/decisions").glob(f"{each}-*.md")]]
    return [*sections, *decisions, *(match[0] for match in OUTSIDE.finditer(text))]


def citing_files() -> set[str]:
    """Return the paths of all files that may cite: sources and pages, and those of other languages."""
    others = {path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in OTHERS}
    ours = {path.relative_to(ROOT).as_posix() for path in others if not BUILT & set(path.relative_to(ROOT).parts)}
    return {*files(), *ours, "Makefile", "pyproject.toml"} - {"tests/house/test_citations.py"}


def test_citations_lead_to_an_existing_section() -> None:
    found = {path: problems((ROOT / path).read_text()) for path in citing_files()}
    assert {path: citations for path, citations in found.items() if citations} == {}


def test_names_in_the_architecture_exist() -> None:
    paths = citing_files() - {"ARCHITECTURE.md"}
    sources = "\n".join([*(f"/{path}" for path in paths), *((ROOT / path).read_text() for path in paths)])
    names = set(NAME.findall((ROOT / "ARCHITECTURE.md").read_text()))
    assert len(names) > 100
    assert [name for name in sorted(names) if name not in sources] == []


@pytest.mark.parametrize(
    "text",
    ["docs/nowhere.md", "docs/contract.md#nowhere", "decision 9999", "decisions, section 4", "(contract, Retries)"],
)
def test_a_broken_citation_is_found(text: str) -> None:
    assert problems(text)


def test_files_of_each_language_are_read() -> None:
    assert {"Makefile", "pyproject.toml"} < citing_files()
    assert {path.rpartition(".")[2] for path in citing_files()} >= {
        "py",
        "md",
        "ts",
        "tsx",
        "sql",
        "js",
        "mjs",
        "css",
        "toml",
    }
