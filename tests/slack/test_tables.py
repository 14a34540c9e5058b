"""Tables of Block Kit."""

from typing import Any

import pytest

from atrium.slack.blockkit import MAX_CELLS, MAX_ROWS, BlockKit


def lines_of(rows: Any) -> list[str]:
    found = BlockKit().as_blocks([{"type": "table", "rows": rows}])
    return [line for each in found for line in getattr(each.content, "text", "").split("\n")]


def cell(text: str) -> dict[str, str]:
    return {"type": "raw_text", "text": text}


def test_a_table_has_a_row_for_each_and_is_as_wide_as_the_widest() -> None:
    assert lines_of([[cell("a"), cell("b")], [cell("c")]]) == ["| a | b |", "|---|---|", "| c |  |"]


def test_a_table_is_no_larger_than_in_slack() -> None:
    """Each row is padded to the widest one: without a limit, a few kilobytes would become gigabytes."""
    kit = BlockKit()
    [block] = kit.as_blocks([{"type": "table", "rows": [[cell("x")] * 500, *[[cell("y")]] * 500]}])
    lines = getattr(block.content, "text", "").split("\n")
    assert (len(lines), lines[1].count("---")) == (MAX_ROWS + 1, MAX_CELLS)
    assert kit.skipped.total() == 1


@pytest.mark.parametrize("rows", [5, True, "text", None, {}, [[]], [5]])
def test_rows_that_are_none_are_left_out(rows: Any) -> None:
    assert "".join(lines_of(rows)).strip("|- ") == ""
