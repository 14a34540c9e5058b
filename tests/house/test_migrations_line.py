"""Migrations are linear, each after the one before, and the first stays as it was released."""

import re
from hashlib import sha256

from tests.house.sources import ROOT

VERSIONS = ROOT / "src" / "atrium" / "migrations" / "versions"
NAMED = re.compile(r'^(revision|down_revision) = (?:"(\d{4})"|None)$', re.M)

TABLES = sorted((VERSIONS.parent / "tables").glob("*.sql"))
COMMENT_OR_SPACE = re.compile(r"--.*|\s+")
RELEASED = "79c0877410b1ac9687cdd52f040c51581b466b32c9a9b4112d8c64d82b0dbb33"


def test_each_migration_comes_after_the_one_before_it() -> None:
    files = sorted(VERSIONS.glob("[0-9]*.py"))
    named = [dict(NAMED.findall(path.read_text())) for path in files]
    numbers = [path.name[:4] for path in files]
    assert [each["revision"] for each in named] == numbers
    assert [each["down_revision"] for each in named] == ["", *numbers[:-1]]


def test_the_tables_are_those_of_the_first_release() -> None:
    """Databases of 0.1.0 have them: a change is a revision. Only before its tag is there a new digest to write here."""
    words = " ".join(word for path in TABLES for word in COMMENT_OR_SPACE.split(path.read_text()) if word)
    assert sha256(words.encode()).hexdigest() == RELEASED, "add a revision (CONTRIBUTING.md, Schema changes)"
