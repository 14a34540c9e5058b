"""A comment above each SQL constant names its parameters and result columns, as the database reports them."""

import asyncio
import re
from collections.abc import Iterator

import asyncpg
import pytest

from atrium.kit.postgres.database import SESSION
from atrium.kit.settings import Settings
from tests.house.headers import header_of, named_columns
from tests.house.sources import SRC, sql_constants


def test_headers_name_each_parameter_and_each_column(settings: Settings) -> None:
    wrong = {
        name: f"has ${count} as its last parameter, and returns {columns}"
        for name, count, columns in asyncio.run(describe(settings))
        if in_header(name) != (list(range(1, count + 1)), columns)
    }
    assert wrong == {}


async def describe(settings: Settings) -> list[tuple[str, int, list[str]]]:
    """Return each statement with the number of its parameters and its columns, as the database reports them."""
    db = await asyncpg.connect(settings.database_url, server_settings=SESSION)
    found = []
    for name, text in sql_constants().items():
        statement = await db.prepare(text)
        columns = [each.name for each in statement.get_attributes() if each.type.name != "void"]
        found.append((name, len(statement.get_parameters()), columns))
    await db.close()
    return found


def in_header(statement: str) -> tuple[list[int], list[str]]:
    """Return the parameters and columns that the comment above a statement names."""
    path, _, constant = statement.partition(":")
    header = header_of((SRC / path).read_text(), constant)
    return named_parameters(header.get("Parameters", "")), named_columns(header.get("Returns", ""))


def named_parameters(text: str) -> list[int]:
    """Return the numbers of `$1`; `$1 to $3` names three."""
    return list(_numbers(text))


def _numbers(text: str) -> Iterator[int]:
    for first, last in re.findall(r"\$(\d+)(?: to \$(\d+))?", text):
        yield from range(int(first), int(last or first) + 1)


@pytest.mark.parametrize(
    ("comment", "parameters", "columns"),
    [
        (
            "# Parameters: $1 room_id, $2 to $4 arrays,\n# $5 now (ms)\n# Returns: a (JSON, as it is), b: one row\n",
            5,
            ["a", "b"],
        ),
        ("# Prose alone with $1\n", 0, []),
    ],
)
def test_a_header_is_parsed(comment: str, parameters: int, columns: list[str]) -> None:
    header = header_of(f'OTHER = "x"\n\n{comment}ONE = "select"\n', "ONE")
    assert named_parameters(header.get("Parameters", "")) == list(range(1, parameters + 1))
    assert named_columns(header.get("Returns", "")) == columns
