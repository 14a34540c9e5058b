"""Which tests `make check`, `make test` and `make verify` run: `pytest --tier=check|test|verify`."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent
RUN = {"check": ("check",), "test": ("check", "test"), "verify": ("verify",)}
# `make verify` alone: what goes wrong at random, takes memory, walks over all of the application, or is installed and
# followed as a user does.
VERIFY = (
    "backups/test_under_load.py", "browser/test_accessible_elsewhere.py", "browser/test_focus_everywhere.py",
    "browser/test_links_in_rooms_of_every_size.py", "browser/test_memory.py", "browser/test_taps_anywhere.py",
    "client/test_histories.py", "contract/test_schemathesis.py", "faults", "guides/test_guides.py", "guides/test_mirror.py", "guides/test_receivers.py", "imports/test_bounds.py",
    "imports/test_racket.py", "imports/test_uploaded.py", "kit/test_hosts.py", "live/test_many.py", "mutants", "packaging",
    "recordings/test_large.py", "search/test_racket.py", "upgrade",
)  # fmt: skip
# `make test`, and not `make check`: other programs, servers of their own, and every route with every caller.
TEST = (
    "agent", "backups", "browser", "cli", "client", "client_typescript", "contract", "imports", "kit/test_embedded.py",
    "operations", "permissions", "recordings", "scim", "sessions/test_oidc.py",
    "sessions/test_oidc_rejections.py", "transcripts",
)  # fmt: skip
IN_TEST = ("faults/test_immediate_effect.py",)  # of a folder above


def tier_of(path: Path) -> str:
    """Return the tier of a test file or folder of tests."""
    name = path.relative_to(HERE).as_posix()
    if _is_in(name, VERIFY) and not _is_in(name, IN_TEST):
        return "verify"
    return "test" if _is_in(name, (*TEST, *IN_TEST)) else "check"


def _is_in(name: str, places: tuple[str, ...]) -> bool:
    return any(name == place or name.startswith(f"{place}/") for place in places)


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
