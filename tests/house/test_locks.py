"""Each advisory lock has one number, named in kit/postgres/locks.py; SQL functions repeat the same numbers."""

import re

from atrium.kit.postgres import locks
from atrium.migrations import scripts
from tests.house.sources import ROOT, SRC, sql_constants

NUMBERS = {name: number for name, number in vars(locks).items() if name.isupper()}
A_NUMBER = re.compile(r"\b41258\d\d\b|\b4_?125_?8\d\d\b")
TAKEN = re.compile(r"advisory\w*\(\s*([^\s,)]+)")


def locks_in_functions() -> dict[str, set[int]]:
    """Return the numbers that each SQL function locks, by its name."""
    found = {script.stem: {int(number) for number in TAKEN.findall(script.read_text())} for script in scripts()}
    return {name: numbers for name, numbers in found.items() if numbers}


def test_no_two_locks_have_the_same_number() -> None:
    assert NUMBERS
    assert len(set(NUMBERS.values())) == len(NUMBERS)


def test_lock_numbers_are_only_in_one_module_and_in_functions() -> None:
    folders = (SRC, *(ROOT / folder for folder in ("tests", "bench", "demo")))
    files = [path for folder in folders for path in folder.rglob("*") if path.suffix in (".py", ".sql")]
    bare = {path for path in files if A_NUMBER.search(path.read_text())}
    assert bare - {*scripts()} == {SRC / "kit" / "postgres" / "locks.py"}


def test_functions_use_the_lock_numbers_of_the_module() -> None:
    assert locks_in_functions() == {
        "keep_deliveries": {locks.DELIVERY_PARTITIONS},
        "keep_live_events": {locks.LIVE_EVENT_PARTITIONS},
        "wake_workers": {locks.AWAKE_WORKER},
    }


def test_every_lock_number_in_a_statement_is_named() -> None:
    taken = {number for text in sql_constants().values() for number in TAKEN.findall(text) if number.isdigit()}
    assert {int(number) for number in taken} <= set(NUMBERS.values())
    assert {locks.SCHEMA, locks.IMPORT, locks.MEDIA, locks.UPLOAD_QUOTA} <= {int(number) for number in taken}
