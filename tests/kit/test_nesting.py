"""How deeply Markdown nests, told in one pass."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from atrium.kit.nesting import MOST_LEVELS, flattened, nests_too_deeply

NESTED = ("blockquote_open", "bullet_list_open", "ordered_list_open")
PARSER = MarkdownIt("commonmark", {"maxNesting": 10_000})
LINES = st.lists(
    st.tuples(st.sampled_from([">", "> ", "- ", "* ", "1. ", "  ", "    ", "\t", "a "]), st.integers(0, 130)),
    max_size=4,
)


@pytest.mark.parametrize(
    "text",
    [
        ">" * 3000, "> " * 101, "- " * 101, "1. " * 101, "> - " * 51, "*_" * 20_000, "a\n\n" + ">" * 101 + " x",
        "\t" * 60 + "- x", " " * 220 + "- x", "x *_*" + "_~" * 80,
    ],
)  # fmt: skip
def test_what_nests_too_deeply_is_seen_and_flattened(text: str) -> None:
    assert nests_too_deeply(text)
    assert not nests_too_deeply(flattened(text))
    assert flattened(text).replace("\\", "").replace("`", "") == text


@pytest.mark.parametrize(
    "text",
    [
        "> " * 100 + "x", "-" * 3000, "*" * 3000, "_" * 3000, "- x\n" * 3000, "***bold*** " * 3000, " " * 40_000,
        "a" + ">" * 3000, "1" * 3000, "  " * 20 + "- x", "char *a, *b; // " * 500, "\n" * 3000, "foo_bar " * 3000,
    ],
)  # fmt: skip
def test_what_people_write_is_not(text: str) -> None:
    assert not nests_too_deeply(text)
    assert flattened(text) == text


@given(LINES)
def test_no_text_that_is_taken_nests_deeper(lines: list[tuple[str, int]]) -> None:
    text = "\n".join(piece * count + "x" for piece, count in lines)
    deepest = level = 0
    for token in PARSER.parse(text):
        level += (token.type in NESTED) - (token.type.replace("close", "open") in NESTED and token.nesting < 0)
        deepest = max(deepest, level)
    assert deepest <= MOST_LEVELS or nests_too_deeply(text)
