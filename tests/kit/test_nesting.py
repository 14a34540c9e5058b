"""The nesting of Markdown, measured in one pass."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from atrium.kit.text.fences import pieces
from atrium.kit.text.nesting import MAX_LEVELS, escape_deep_nesting, nests_too_deeply

NESTED = ("blockquote_open", "bullet_list_open", "ordered_list_open")
PARSER = MarkdownIt("commonmark", {"maxNesting": 10_000})
DEEP = ["> " * 101, "- " * 101, " " * 220 + "- 3.14", "\t" * 60 + "- x"]
PIECES = [">", "> ", "- ", "* ", "1. ", "  ", "    ", "\t", "a "]
BEGINNINGS = [
    "",
    "- ",
    "> ",
    "  ",
    "   ",
    "    ",
    "\t",
    "1. ",
    "2. ",
    "10) ",
    "-",
    "a",
    "# ",
    "---",
    "===",
    "<div>",
    "<pre>",
    "[a]: /x ",
    "\r",
]
FENCES = ["```", "```", "````", "~~~", "~~~", "``` c", "``` `", "```\n", "~~~\r\n", "\n\n", "a\n", ""]
LINES = st.lists(
    st.tuples(st.sampled_from(BEGINNINGS), st.sampled_from(FENCES), st.sampled_from(PIECES), st.integers(0, 130)),
    max_size=8,
)


@pytest.mark.parametrize(
    "text",
    [
        ">" * 3000, "> " * 101, "- " * 101, "1. " * 101, "> - " * 51, "*_" * 20_000, "a\n\n" + ">" * 101 + " x",
        "\t" * 60 + "- x", " " * 220 + "- x", "x *_*" + "_~" * 80, "*_" * 51,
    ],
)  # fmt: skip
def test_text_that_nests_too_deeply_is_found_and_flattened(text: str) -> None:
    assert nests_too_deeply(text)
    assert not nests_too_deeply(escape_deep_nesting(text))
    assert escape_deep_nesting(text).replace("\\", "").replace("`", "") == text


@pytest.mark.parametrize(
    "text",
    [
        "> " * 100 + "x", "*_" * 50 + "*", "-" * 3000, "*" * 3000, "_" * 3000, "- x\n" * 3000, "***bold*** " * 3000, " " * 40_000,
        "a" + ">" * 3000, "1" * 3000, "  " * 20 + "- x", "char *a, *b; // " * 500, "\n" * 3000, "foo_bar " * 3000,
    ],
)  # fmt: skip
def test_ordinary_text_is_not_changed(text: str) -> None:
    assert not nests_too_deeply(text)
    assert escape_deep_nesting(text) == text


@pytest.mark.parametrize("deep", DEEP)
@pytest.mark.parametrize(
    "text",
    [
        "```\n{}\n```", "Look:\n~~~ py\n{}\n\n{}\n~~~\nso", "```\n{}", "> ```\n> {}\n> ```", "- a\n  - ```\n    {}\n    ```\n- b",
        "1. a\n\n   ```\n   {}\n\n   {}\n   ```", "````\n```\n{}\n````", "<b>so</b>\n\n```\n{}\n```", "```\r\n{}\r\n```\r\n",
    ],
)  # fmt: skip
def test_code_between_fences_does_not_nest(text: str, deep: str) -> None:
    assert not nests_too_deeply(text.replace("{}", deep))
    assert escape_deep_nesting(text.replace("{}", deep)) == text.replace("{}", deep)


@pytest.mark.parametrize("deep", DEEP[:2])
@pytest.mark.parametrize(
    "text",
    [
        "```\n```\n{}", "```\n~~~~\n```\n{}", "> ```\n\n{}", "- ```\n{}", "- a\n\n  ```\nb\n\n{}", "``` `\n{}", "    ```\n{}",
        "<pre>\n```\n</pre>\n\n{}", "a\n2. ```\n{}", "~~~\r~~~\r{}", "- a\nb\n  ```\n{}", "* * *\n  ```\n  ```\n{}",
    ],
)  # fmt: skip
def test_text_after_a_fence_or_something_similar_nests(text: str, deep: str) -> None:
    assert nests_too_deeply(text.replace("{}", deep))
    assert not nests_too_deeply(escape_deep_nesting(text.replace("{}", deep)))


@given(st.lists(st.tuples(st.sampled_from([*BEGINNINGS, "> - ", "- - "]), st.sampled_from(FENCES)), max_size=12))
def test_no_line_of_markdown_is_mistaken_for_code(lines: list[tuple[str, str]]) -> None:
    text = "\n".join(map("".join, lines))
    pieces_of = list(pieces(text))
    assert "".join(line for line, _ in pieces_of) == text
    fenced = [token.map for token in PARSER.parse(text) if token.type == "fence" and token.map]
    code = {nr for begin, end in fenced for nr in range(begin + 1, end)}
    assert [
        nr for nr, (line, is_code) in enumerate(pieces_of) if is_code and line.strip("> \t\r\n") and nr not in code
    ] == []


@given(LINES)
def test_no_accepted_text_nests_too_deeply(lines: list[tuple[str, str, str, int]]) -> None:
    text = "\n".join(beginning + fence + piece * count + "x" for beginning, fence, piece, count in lines)
    deepest = level = 0
    for token in PARSER.parse(text):
        level += (token.type in NESTED) - (token.type.replace("close", "open") in NESTED and token.nesting < 0)
        deepest = max(deepest, level)
    assert deepest <= MAX_LEVELS or nests_too_deeply(text)
