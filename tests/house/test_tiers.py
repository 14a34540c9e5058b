"""The files and folders that tests/tiers.py names exist."""

from itertools import chain

from tests.tiers import CHECK, HERE, VERIFY, Places, tier_of


def missing_places(places: Places) -> list[str]:
    found = chain.from_iterable(
        [folder] if names == "*" else [f"{folder}/{name}.py" for name in names.split()]
        for folder, names in places.items()
    )
    return [each for each in found if not (HERE / each).exists()]


def test_files_and_folders_of_tiers_exist() -> None:
    assert missing_places(CHECK) + missing_places(VERIFY) == []


def test_each_file_has_the_tier_of_its_folder_or_its_own() -> None:
    assert tier_of(HERE / "sessions" / "test_oidc.py") == "check"
    assert tier_of(HERE / "webhooks" / "test_pausing.py") == "check"
    assert tier_of(HERE / "webhooks" / "test_delivery.py") == "test"
    assert tier_of(HERE / "backups" / "test_media.py") == "test"
    assert tier_of(HERE / "backups" / "test_under_load.py") == "verify"
    assert tier_of(HERE / "faults" / "chaos" / "invariants.py") == "verify"
