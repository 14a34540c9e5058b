"""Every code block of every page is checked; those that are not run are compared with the files they name."""

import re
from importlib.resources import files
from pathlib import Path

import pytest

from atrium.server.guides import NAMES, rendered_guide, source
from tests.guides.blocks import BadBlock, Block, blocks_of
from tests.guides.reader import output_matches
from tests.house.sources import ROOT

TEXTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
RUN = [ROOT / "README.md", *sorted((ROOT / "docs" / "guides").glob("*.md"))]
FENCED = re.compile(r"^```.*?^```", re.M | re.S)
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(#[^)]*)?\)")


@pytest.mark.contract("Guides 2")
@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_each_code_block_is_run_or_compared_with_what_it_names(path: Path) -> None:
    for block in blocks_of(path):
        if "tree" in block.options:
            assert_tree(ROOT / block.options["tree"], block)
        elif "diagram" in block.options:
            assert_files(ROOT / block.options["diagram"], block)
        else:
            assert path in RUN, f"{block.where}: nobody runs this"


def assert_tree(folder: Path, block: Block) -> None:
    """Assert that the first column names each module of the folder once, and that files named after it exist."""
    firsts = re.findall(r"^(\w+(?:\.py)?(?: · \w+(?:\.py)?)*)(?= |$)", block.content, re.M)
    named = [name for first in firsts for name in first.split(" · ")]
    there = {path.name for path in folder.iterdir() if not path.name.startswith("_") and path.name != "py.typed"}
    assert sorted(named) == sorted(there), block.where
    assert_files(folder, block)


def assert_files(folder: Path, block: Block) -> None:
    """Assert that the named files are in the folder."""
    known = {path.name for path in folder.rglob("*.py")}
    assert set(re.findall(r"\b\w+\.py\b", block.content)) <= known, block.where


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_link_to_a_file_leads_to_an_existing_file(path: Path) -> None:
    for target, _ in LINK.findall(FENCED.sub("", path.read_text())):
        if target and not target.startswith("/"):
            assert (path.parent / target).exists(), f"{path.relative_to(ROOT)}: {target}"


@pytest.mark.parametrize("name", NAMES)
def test_a_link_of_a_page_leads_to_an_existing_page_or_another_site(name: str) -> None:
    leads = re.findall(r'<a href="([^"#]*)(?:#([^"]*))?"', rendered_guide(name).body)
    for path, anchor in leads:
        if path.startswith("http"):
            continue
        assert path in ("", "/docs", "/docs/problems") or path.removeprefix("/docs/guides/") in NAMES, path
        page = name if path == "" else path.rpartition("/")[2]
        assert not anchor or f'id="{anchor}"' in rendered_guide(page).body, f"{path}#{anchor}"


def test_every_guide_is_listed_and_every_page_has_a_title_and_an_introduction() -> None:
    assert {path.stem for path in (ROOT / "docs" / "guides").glob("*.md")} <= set(NAMES)
    for name in NAMES:
        assert source(name).startswith("# ")
        assert rendered_guide(name).title
        assert rendered_guide(name).lead
        assert len(re.findall(r"<h1", rendered_guide(name).body)) == 1


def test_metrics_that_a_guide_names_exist() -> None:
    source_folder = ROOT / "src" / "atrium"
    pages = [*(source_folder / "operations").glob("*.py"), source_folder / "kit" / "metrics.py"]
    measured = "".join(page.read_text() for page in pages)
    named = set(re.findall(r"\batrium_[a-z_]+[a-z]", source("operating")))
    assert len(named) > 10
    assert {name for name in named if f'"{name.removesuffix("_total")}' not in measured} == set()


def test_figures_in_the_guide_match_the_measurements() -> None:
    sizing = source("operating").partition("## How much")[2].partition("\n## ")[0]
    figures = re.findall(r"\| ([\d,]+) \|", sizing)
    assert len(figures) == 6
    measured = (ROOT / "docs" / "performance.md").read_text()
    assert [figure for figure in figures if figure not in measured] == []


@pytest.mark.contract("Guides 2")
@pytest.mark.parametrize(
    "text",
    [
        "```\nls\n```",
        "```bash\nls\n```",
        "```ruby\nputs 1\n```",
        "```go\nx\n```",
        "    ls\n",
        "<pre>ls</pre>\n",
        "```sh later\nls\n```",
        "```text\nsaid by nobody\n```",
        "```sh background=8700\nls\n```\n```text\nnever looked at\n```",
        "```sh\nls\n```\n```text\na\n```\n```text\nb\n```",
    ],
)
def test_a_code_block_that_would_never_run_is_rejected(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.guides.blocks.ROOT", tmp_path)
    path = tmp_path / "text.md"
    path.write_text(text)
    with pytest.raises(BadBlock, match=r"^text\.md:\d"):
        blocks_of(path)


@pytest.mark.parametrize(
    ("shown", "written", "same"),
    [
        ("a\nb\n", "a\nb", True),
        ("a\nb\n", "a", False),
        ("a\nb\nc\n", "a\n…\nc", True),
        ("a\nc\n", "a\n…\nc", True),
        ("id 17 ok\n", "id … ok", True),
        ("id 17\nok\n", "id … ok", False),
        ("a.c\n", "a.c", True),
        ("abc\n", "a.c", False),
        ("a  \n\n", "a", True),
        ("", "a", False),
    ],
)
def test_the_output_of_a_code_block_is_compared(shown: str, written: str, same: bool) -> None:
    assert output_matches(shown, written) is same


def test_the_guides_are_where_the_package_looks_for_them() -> None:
    for name in NAMES:
        assert source(name)
    assert (files("atrium.server") / "texts" / "guides").is_dir()
