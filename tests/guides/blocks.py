"""The fenced code blocks of a page; the info string tells the tests what to do with each.

    ```sh                          typed into the reader's shell; every command and request has to succeed
    ```sh refused=401              as above, and each rejected request has this status
    ```sh eventually               typed repeatedly until it succeeds and prints the output in the guide
    ```sh background=8700          typed into a new terminal and left running; ready when it listens on that port
    ```text                        the standard output of the block before it; `…` stands for any text
    ```text tree=src/atrium        the modules of that folder, each by its name in the first column
    ```text diagram=src/atrium     a diagram; the files that it names are in that folder
    ```python, ```javascript       run; with file=NAME written to that file, for a later block to run
    ```go, ```java, ```php         written to the file of file=NAME, for a later block to compile and run
    ```json, ```yaml               parsed; with file=NAME written to that file, for a later block to use

With needs=PROGRAM a block is left out, and the test skipped after all others, if the machine lacks the program.
"""

from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt

from atrium.server.markdown import options
from tests.house.sources import ROOT

RUN = ("sh", "python", "javascript")
WRITTEN = ("go", "java", "php")
PARSED = ("json", "yaml")
WORDS = {
    "sh": {"refused", "eventually", "background", "needs"},
    "text": {"tree", "diagram"},
    "python": {"file", "needs"},
    "javascript": {"file", "needs"},
    "go": {"file"},
    "java": {"file"},
    "php": {"file"},
    "json": {"file", "needs"},
    "yaml": {"file", "needs"},
}


@dataclass(frozen=True)
class Block:
    """A fenced code block. `expected_output` is the content of the text block directly after it."""

    where: str
    language: str
    options: dict[str, str]
    content: str
    expected_output: str | None = None


class BadBlock(Exception):
    """A block that no test would check."""


def blocks_of(path: Path) -> list[Block]:
    """Return the blocks of a Markdown file in order. Raise BadBlock for one that no test would check."""
    found: list[Block] = []
    for token in MarkdownIt("commonmark").parse(path.read_text()):
        where = f"{path.relative_to(ROOT)}:{token.map[0] + 1 if token.map else 0}"
        if token.type in ("code_block", "html_block"):
            raise BadBlock(f"{where}: a block has to be fenced, with a language")
        if token.type == "fence":
            language, _, words = token.info.strip().partition(" ")
            found = _with(found, Block(where, language, options(words), token.content))
    return found


def _with(found: list[Block], block: Block) -> list[Block]:
    unknown = set(block.options) - WORDS.get(block.language, set())
    if block.language not in WORDS or unknown:
        raise BadBlock(f"{block.where}: unknown language or options: {block.language!r} {sorted(unknown)}")
    if block.language in WRITTEN and "file" not in block.options:
        raise BadBlock(f"{block.where}: it has to name the file that a later block runs")
    if block.language != "text" or block.options:
        return [*found, block]
    if not found or found[-1].expected_output is not None or not _has_output(found[-1]):
        raise BadBlock(f"{block.where}: no block before it has this output")
    last = found[-1]
    return [*found[:-1], Block(last.where, last.language, last.options, last.content, block.content)]


def _has_output(block: Block) -> bool:
    return block.language in RUN and not {"file", "background"} & set(block.options)


GUIDES = ROOT / "docs" / "guides"
