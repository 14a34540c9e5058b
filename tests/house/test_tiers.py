"""The files and folders that tests/tiers.py names exist."""

from tests.tiers import HERE, IN_TEST, TEST, VERIFY, tier_of


def test_files_and_folders_of_tiers_exist() -> None:
    assert [name for name in (*VERIFY, *TEST, *IN_TEST) if not (HERE / name).exists()] == []


def test_each_file_has_the_tier_of_its_folder_or_its_own() -> None:
    assert tier_of(HERE / "webhooks" / "test_pausing.py") == "check"
    assert tier_of(HERE / "backups" / "test_media.py") == "test"
    assert tier_of(HERE / "backups" / "test_under_load.py") == "verify"
    assert tier_of(HERE / "faults" / "test_immediate_effect.py") == "test"
