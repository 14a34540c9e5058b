"""Migrations are linear, each after the one before; merging two branches could add two successors."""

import re

from tests.house.sources import ROOT

VERSIONS = ROOT / "src" / "atrium" / "migrations" / "versions"
NAMED = re.compile(r'^(revision|down_revision) = (?:"(\d{4})"|None)$', re.M)


def test_each_migration_comes_after_the_one_before_it() -> None:
    files = sorted(VERSIONS.glob("[0-9]*.py"))
    named = [dict(NAMED.findall(path.read_text())) for path in files]
    numbers = [path.name[:4] for path in files]
    assert [each["revision"] for each in named] == numbers
    assert [each["down_revision"] for each in named] == ["", *numbers[:-1]]
