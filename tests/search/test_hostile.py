"""No input makes search fail."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import Api, RunningServer, new_organization
from tests.search.harness import find, search, send_all


@pytest.fixture(scope="module")
def hostile_api(server: RunningServer) -> Iterator[Api]:
    made = new_organization(server.settings, server.url)
    send_all(made, "it's a <script>alert('engine')</script> \\ & | ! : * ( ) <-> end", "o'neill", "x" * 40_000)
    yield made
    made.close()


@pytest.mark.parametrize(
    "q",
    [
        "'",
        "'engine'",
        "engine:*",
        "engine & !script",
        "a | b",
        "<->",
        "(((",
        "\\",
        "engine\\",
        "\\'",
        "engine <2> end",
        "%",
        "$$",
        "'; drop table messages; --",
        "-- engine",
        "-" * 1000,
        '"' * 1000,
        "or " * 300,
        "日" * 1000,
        "a" * 1000,
        "a " * 500,
        "-a " * 300,
        '"a b" ' * 160,
        "has:link " * 100,
        "in:x " * 200,
        "from:x " * 140,
        "e* ",
        "\u202e\ufeff\u200b",
        "\U0010ffff",
    ],
    ids=range(29),
)
def test_query_syntax_of_the_database_is_plain_text(hostile_api: Api, q: str) -> None:
    search(hostile_api, q[:1000])


def test_punctuation_around_a_word_does_not_hide_it(hostile_api: Api) -> None:
    for q in ("'engine'", "engine:* ", "(script)", "<script>alert", "o'neill", "O’Neill", "engine\\"):
        assert len(find(hostile_api, q)) == 1, q


@pytest.mark.contract("Search and unread state 10")
def test_an_excerpt_is_plain_text(hostile_api: Api) -> None:
    excerpt = search(hostile_api, "engine ")["results"][0]["excerpt"]
    assert excerpt["text"].startswith("it's a <script>alert('engine')</script>")
    (low, high), *others = excerpt["highlights"]
    assert excerpt["text"][low:high] == "engine"
    assert others == []


def test_a_word_of_any_length_is_found_by_its_beginning(hostile_api: Api) -> None:
    assert len(find(hostile_api, "x" * 100)) == 1
    assert len(find(hostile_api, "x" * 1000)) == 1


@pytest.mark.contract("Search and unread state 13")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(min_size=1, max_size=80) | st.text(alphabet="'\"\\&|!:*()<->- oraeébhs:日", min_size=1, max_size=80))
def test_any_query_is_answered_or_rejected(hostile_api: Api, q: str) -> None:
    path = f"/v2/organizations/{hostile_api.organization_id}/search"
    answer = hostile_api.person.get(path, params={"q": q.encode(errors="ignore").decode()})
    assert answer.status_code in (200, 400), answer.text
