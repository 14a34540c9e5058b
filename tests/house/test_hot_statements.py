"""Requests of the hot path and their statements match by position: fields to columns, columns to results."""

import re

import pytest

from atrium.messages import page_queries, queries
from atrium.messages.requests import PageRequest, Result, SendRequest, ThreadPageRequest
from tests.house.headers import header_of, named_columns
from tests.house.sources import SRC

STATEMENTS: dict[str, tuple[str, type[SendRequest | PageRequest | ThreadPageRequest]]] = {
    "SEND": (queries.SEND, SendRequest),
    "PAGE_OF_ROOM": (page_queries.PAGE_OF_ROOM, PageRequest),
    "PAGE_OF_TOP_LEVEL": (page_queries.PAGE_OF_TOP_LEVEL, PageRequest),
    "PAGE_OF_THREAD": (page_queries.PAGE_OF_THREAD, ThreadPageRequest),
}
ARRAYS = re.compile(r"unnest\(([^)]+)\)\s+with ordinality as request \(([^)]+)\)")
PLURALS = tuple({"body": "bodies"}.get(field, f"{field}s") for field in Result._fields)


def arrays_of(statement: str) -> tuple[list[str], list[str]]:
    """Return the parameters that a statement unnests as requests, and the columns that they become."""
    [(parameters, columns)] = ARRAYS.findall(statement)
    return re.findall(r"\$\d+", parameters), re.split(r",\s+", columns)


@pytest.mark.parametrize("name", STATEMENTS)
def test_the_arrays_of_a_statement_are_the_fields_of_its_requests(name: str) -> None:
    statement, request = STATEMENTS[name]
    parameters, columns = arrays_of(statement)
    assert columns == [*request._fields, "nr"]
    assert parameters == [f"${nr}" for nr in range(1, len(request._fields) + 1)]


@pytest.mark.parametrize("name", STATEMENTS)
def test_the_columns_of_a_statement_are_the_fields_of_its_results(name: str) -> None:
    file = "queries.py" if name == "SEND" else "page_queries.py"  # test_sql_headers.py checks their headers
    columns = named_columns(header_of((SRC / "messages" / file).read_text(), name)["Returns"])
    assert tuple(columns) in (PLURALS, PLURALS[: -len(Result._field_defaults)])


def test_a_page_without_replies_differs_only_in_the_messages_that_it_reads() -> None:
    without, conditions = re.subn(r"\s+and m\.thread_root_id is null", "", page_queries.PAGE_OF_TOP_LEVEL)
    assert (without, conditions) == (page_queries.PAGE_OF_ROOM, 3)


def test_the_check_sees_two_columns_that_are_swapped() -> None:
    _, columns = arrays_of(queries.SEND.replace("parent_id, idempotency_key, body", "idempotency_key, parent_id, body"))
    assert columns != [*SendRequest._fields, "nr"]
