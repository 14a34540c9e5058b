"""CSV that spreadsheets read as it is meant."""

import csv
import io

import pytest

from atrium.kit.text.csv_table import csv_rows


def test_commas_quotes_and_line_breaks_stay_in_their_cell() -> None:
    row = ['Ada "the first"', "a,b\r\nc", "", "ada@example.org"]
    written = csv_rows([row, row])
    assert list(csv.reader(io.StringIO(written, newline=""))) == [row, row]
    assert written.startswith('"Ada ""the first""","a,b\r\nc",,ada@example.org\r\n')


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\uff1d1", "\r=1", "\n-1", "\ufeff=1"])
def test_a_cell_is_not_a_formula(text: str) -> None:
    assert next(csv.reader(io.StringIO(csv_rows([[text]]), newline=""))) == [f"'{text}"]
