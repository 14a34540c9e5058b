"""The tests of `make check`, `make test` and `make verify`: `pytest --tier=check|test|verify`."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent
RUN = {"check": ("check",), "test": ("check", "test"), "verify": ("verify",)}
Places = dict[str, str]  # the folders of a tier, each with the names of its files or `*`
# `make check`: rules that need no server, and requests to the one server that all tests share.
CHECK: Places = {
    "attachments": "*", "audit": "test_trail", "blocks": "*", "guides": "test_blocks", "house": "*", "incoming": "*",
    "keys": "*", "kit": "*", "live": "test_audience test_block_events test_events test_log",
    "messages": "test_bounds test_cursors test_hostile_texts test_one_message test_send_and_read test_walk_properties",
    "organizations": "*", "overview": "*", "rooms": "test_room_names test_rooms",
    "search": "test_excerpts test_hostile test_language test_languages test_search test_words", "sessions": "*",
    "slack": "*", "spaces": "*", "unread": "test_threads test_unread",
    "webhooks": "test_filter_words test_limits test_management test_pausing test_signing test_turns",
}  # fmt: skip
# `make verify`: what goes wrong at random or is killed, takes memory, walks over all of the application or the API, or is
# installed and followed as a user does.
VERIFY: Places = {
    "backups": "test_failures test_under_load",
    "browser": "test_accessible test_accessible_elsewhere test_focus_everywhere test_links_in_rooms_of_every_size test_memory test_taps_anywhere",
    "client": "test_histories test_shape", "contract": "test_bad_input test_schemathesis",
    "faults": "*", "guides": "test_guides test_mirror test_receivers",
    "imports": "test_bounds test_ended_worker test_interrupted test_jobs test_racket test_uploaded", "live": "test_many test_recovery",
    "messages": "test_packing test_page_cache test_thread_properties", "mutants": "*", "packaging": "*",
    "permissions": "test_key_policy_model test_narrow_keys test_rights_model", "postgres": "test_embedded test_hosts", "recordings": "test_large",
    "scim": "test_conformance", "search": "test_racket", "unread": "test_unread_properties", "upgrade": "*",
}  # fmt: skip


def tier_of(path: Path) -> str:
    """Return the tier of a test file or folder of tests; that of `make test` has what the others do not name."""
    return next((tier for tier, places in (("check", CHECK), ("verify", VERIFY)) if _is_in(path, places)), "test")


def _is_in(path: Path, places: Places) -> bool:
    folder, *rest = path.relative_to(HERE).parts
    names = places.get(folder, "").split()
    return names == ["*"] or (bool(rest) and Path(rest[-1]).stem in names)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--tier`; without it all tests run."""
    parser.addoption("--tier", choices=tuple(RUN))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out the files of other tiers, and the folders of which all files are left out with their conftest.py."""
    tier = config.getoption("tier")
    if tier is None:
        return None
    files = collection_path.rglob("test_*.py") if collection_path.is_dir() else [collection_path]
    return None if any(tier_of(file) in RUN[tier] for file in files) else True
