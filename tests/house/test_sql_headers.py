"""A comment above each SQL constant names its parameters and result columns, as the database reports them."""

import asyncio
import re
from collections.abc import Iterator

import asyncpg
import pytest

from atrium.kit.postgres.database import SESSION
from atrium.kit.settings import Settings
from tests.house.sources import SRC, sql_constants

STATEMENTS = sql_constants()
PARENTHESIS = re.compile(r"\([^()]*\)")


@pytest.fixture(scope="module")
def described(settings: Settings) -> dict[str, tuple[int, list[str]]]:
    """Return the number of parameters and the columns of each statement."""

    async def describe_all() -> dict[str, tuple[int, list[str]]]:
        db = await asyncpg.connect(settings.database_url, server_settings=SESSION)
        found = {}
        for name, text in STATEMENTS.items():
            statement = await db.prepare(text)
            columns = [each.name for each in statement.get_attributes() if each.type.name != "void"]
            found[name] = len(statement.get_parameters()), columns
        await db.close()
        return found

    return asyncio.run(describe_all())


@pytest.mark.parametrize("name", STATEMENTS)
def test_the_header_names_each_parameter_and_each_column(
    described: dict[str, tuple[int, list[str]]], name: str
) -> None:
    path, _, constant = name.partition(":")
    header = header_of((SRC / path).read_text(), constant)
    parameters, columns = described[name]
    assert named_parameters(header.get("Parameters", "")) == list(range(1, parameters + 1)), (
        f"{name}: # Parameters: $1 …"
    )
    assert named_columns(header.get("Returns", "")) == columns, f"{name}: # Returns: …"


def header_of(source: str, constant: str) -> dict[str, str]:
    """Return the paragraphs of the comment above a constant that begin with "Parameters:" or "Returns:"."""
    before = re.split(rf"^{constant} = ", source, maxsplit=1, flags=re.MULTILINE)[0].splitlines()
    lines: list[str] = []
    while before and before[-1].startswith("# "):
        lines.insert(0, before.pop()[2:])
    paragraphs = re.split(r"(?:^|\n)(Parameters|Returns): ", "\n".join(lines))
    return dict(zip(paragraphs[1::2], paragraphs[2::2], strict=True))


def named_parameters(text: str) -> list[int]:
    """Return the numbers of `$1`; `$1 to $3` names three."""
    return list(_numbers(text))


def _numbers(text: str) -> Iterator[int]:
    for first, last in re.findall(r"\$(\d+)(?: to \$(\d+))?", text):
        yield from range(int(first), int(last or first) + 1)


def named_columns(text: str) -> list[str]:
    """Return the names, without text in parentheses or after a colon."""
    names = PARENTHESIS.sub("", text).partition(":")[0].replace("\n", " ").split(",")
    return [name.strip() for name in names if name.strip()]


@pytest.mark.parametrize(
    ("comment", "parameters", "columns"),
    [
        ("# Parameters: $1 room_id, $2 to $4 arrays,\n# $5 now (ms)\n# Returns: a (JSON, as it is), b: one row\n", 5, ["a", "b"]),
        ("# Prose alone with $1\n", 0, []),
    ],
)  # fmt: skip
def test_a_header_is_parsed(comment: str, parameters: int, columns: list[str]) -> None:
    header = header_of(f'OTHER = "x"\n\n{comment}ONE = "select"\n', "ONE")
    assert named_parameters(header.get("Parameters", "")) == list(range(1, parameters + 1))
    assert named_columns(header.get("Returns", "")) == columns
