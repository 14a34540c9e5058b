"""Names and sentences use the words of the glossary, in every file that is not listed as old."""

import pytest

from tests.house.sources import ROOT
from tests.house.words import files, words_in, words_of

# Files with words still to replace. A file leaves the list when it has none, and no file is added.
OLD = frozenset((ROOT / "tests" / "house" / "old_words.txt").read_text().split())
OWN = {"tests/house/words.py", "tests/house/test_words.py"}


def test_files_use_the_words_of_the_glossary() -> None:
    found = [str(each) for path in files() if path not in OLD | OWN for each in words_of(path)]
    assert found == []


def test_a_file_without_old_words_is_not_listed() -> None:
    assert {path for path in OLD if not (ROOT / path).exists() or not words_of(path)} == set()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", '"""Whoever is told."""'),
        ("b.py", "kept = 1"),
        ("c.py", "def f(whole: bool) -> None: ..."),
        ("d.md", "It starts anew."),
        ("e.ts", "const said = 1;"),
        ("heard.py", ""),
        ("f.py", "def test_it_is_told(): ..."),
        ("g.py", "try: ...\nexcept OSError as refusal: ..."),
        ("h.py", "self.kept = 1"),
        ("i.py", "{'heard': 1}"),
        ("j.py", "import a as told"),
        ("k.py", "# for other remarks"),
        ("l.py", "SQL = 'select 1 as asked'"),
        ("m.py", "SQL = 'select 1 from lateral f($1) asked on true'"),
        ("n.py", "SQL = 'with told as (select 1) select 2'"),
    ],
)
def test_old_words_are_found(name: str, text: str) -> None:
    assert words_in(name, text)


def test_names_in_outputs_are_kept() -> None:
    assert words_in("a.py", "said = 1")
    assert not words_in("a.py", "{'said': 1}")
