"""Words in several languages, and the matches that each language misses."""

from collections.abc import Iterator

import pytest

from tests.conftest import Api, RunningServer, new_organization
from tests.search.harness import send_all, texts

TEXTS = (
    "Die Häuser sind groß", "Les développeurs ont parlé d'été", "The ponies were running", "Müller grüßt",
    "Всё хорошо, ёлка", "会議は明日の午後です", "서울에서 만나요", "สวัสดีชาวโลก", "मैं हिन्दी बोलता हूँ", "ship it 🚀👍🏽",
)  # fmt: skip


@pytest.mark.contract("Search and unread state 9")
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("haus ", 0),
        ("HÄUSER ", 0),
        ("grosse ", 0),
        ("développeur ", 1),
        ("developpeurs ", 1),
        ("parler ", 1),
        ("ete ", 1),
        ("l'été ", None),
        ("pony ", 2),
        ("run ", 2),
        ("runs ", 2),
        ("muller ", 3),
        ("mueller ", 3),
        ("hauses ", 0),
        ("елка ", 4),
        ("ВСЕ ", 4),
        ("明日", 5),
        ("議は明", 5),
        ("午後", 5),
        ("明議", None),
        ("서울", 6),
        ("만나", 6),
        ("ชาวโลก", 7),
        ("हिन्दी ", 8),
        ("🚀 ", 9),
        ("👍", 9),
        ("🎉", None),
    ],
    ids=lambda given: str(given).encode("unicode_escape").decode(),
)
def test_words_of_each_language_are_found(api_of_languages: Api, query: str, expected: int | None) -> None:
    assert texts(api_of_languages, query) == (set() if expected is None else {TEXTS[expected]})


@pytest.fixture(scope="module")
def api_of_languages(server: RunningServer) -> Iterator[Api]:
    made = new_organization(server.settings, server.url)
    send_all(made, *TEXTS)
    yield made
    made.close()
