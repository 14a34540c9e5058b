"""CSV for spreadsheets (RFC 4180). The web application does the same in `ui/src/kit/text/csv.ts`."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

BYTE_ORDER_MARK = "\ufeff"  # without it, Excel does not read UTF-8
FORMULA = re.compile(r"[\s\ufeff]*[=+\-@\uff0b\uff0d\uff1d\uff20]|[\t\r]")


def csv_rows(rows: Iterable[Sequence[str]]) -> str:
    """Return the rows as lines of CSV. A cell that a spreadsheet would run as a formula gets an apostrophe."""
    lines = io.StringIO(newline="")
    csv.writer(lines).writerows([[_cell(text) for text in row] for row in rows])
    return lines.getvalue()


def _cell(text: str) -> str:
    return f"'{text}" if FORMULA.match(text) else text
