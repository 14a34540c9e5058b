"""Excerpts, and the positions of highlighted words in them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atrium.search.excerpts import ELLIPSIS, LENGTH, Excerpt, Highlighter
from atrium.search.language import read_query
from atrium.search.words import Stemmer, Stems


def excerpt_and_highlights(query: str, content: str, stems: Stemmer | None = None) -> tuple[Excerpt, list[str]]:
    excerpt = Highlighter(read_query(query).positive, stems or Stemmer(())).excerpt(content)
    return excerpt, [excerpt.text[low:high] for low, high in excerpt.highlights]


@pytest.mark.contract("Search and unread state 10")
@pytest.mark.parametrize(
    ("query", "content", "shown"),
    [
        ("engine ", "The Engine, the ENGINE.", ["Engine", "ENGINE"]),
        ("eng", "an engine", ["engine"]),
        ("été ", "L'ete, l’été", ["ete", "été"]),
        ('"big engine"', "big. Engine, engine big", ["big. Engine"]),
        ("日本", "日本語, 日, 本日", ["日本", "日, 本"]),
        ("🚀 ", "🚀🚀 up", ["🚀🚀"]),
        ("a -b ", "a b", ["a"]),
        ("a or b ", "b a", ["b", "a"]),
        ("<b> ", "a <b>bold</b> b", ["b", "b", "b"]),
    ],
)
def test_the_searched_words_are_highlighted(query: str, content: str, shown: list[str]) -> None:
    excerpt, highlighted = excerpt_and_highlights(query, content)
    assert highlighted == shown
    assert excerpt.text == content


def test_other_forms_of_a_word_are_highlighted() -> None:
    stems = Stemmer(())
    stems._cache |= {"ships": Stems(("ship",), False), "shipping": Stems(("ship",), False)}
    assert excerpt_and_highlights("ships ", "ship, shipping, shipment", stems)[1] == ["ship", "shipping"]


def test_a_long_message_is_cut_around_most_of_its_hits() -> None:
    content = "engine " + "x " * 500 + "the engine and the engine room " + "y " * 500
    excerpt, highlighted = excerpt_and_highlights("engine ", content)
    assert highlighted == ["engine", "engine"]
    assert excerpt.text.startswith(ELLIPSIS) and excerpt.text.endswith(ELLIPSIS)
    assert excerpt.text.strip(ELLIPSIS) in content
    assert len(excerpt.text) <= LENGTH + 2 * len(ELLIPSIS)


@given(st.text(max_size=800), st.text(st.sampled_from('ab c"-é日🚀'), max_size=30))
def test_highlights_are_in_the_text_ordered_and_disjoint(content: str, query: str) -> None:
    excerpt, _ = excerpt_and_highlights(query, content)
    edges = [edge for span in excerpt.highlights for edge in span]
    assert edges == sorted(edges)
    assert all(0 <= low < high <= len(excerpt.text) for low, high in excerpt.highlights)
    assert (
        excerpt.text.removeprefix(ELLIPSIS).removesuffix(ELLIPSIS) in content
        or content.startswith(ELLIPSIS)
        or content.endswith(ELLIPSIS)
    )
