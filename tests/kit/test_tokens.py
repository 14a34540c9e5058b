"""The checksum of a key shows whether it was typed correctly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atrium.keys.tokens import BASE62, LENGTH, ORGANIZATION_PREFIX, PERSONAL_PREFIX, checked_hash, is_well_formed, mint
from atrium.kit.errors import Unauthenticated

KEYS = st.sampled_from([ORGANIZATION_PREFIX, PERSONAL_PREFIX]).map(mint)


@pytest.mark.parametrize("prefix", [ORGANIZATION_PREFIX, PERSONAL_PREFIX])
def test_a_new_key_has_the_format_that_secret_scanners_know(prefix: str) -> None:
    key = mint(prefix)
    assert key.startswith(prefix)
    assert len(key) == LENGTH == 41
    assert set(key[5:]) <= set(BASE62)
    assert is_well_formed(key)
    assert len({mint(prefix) for _ in range(1000)}) == 1000


def test_a_key_with_another_prefix_is_not_well_formed() -> None:
    assert not is_well_formed(mint("ghp__"))


@pytest.mark.contract("Roles and keys 27")
@given(key=KEYS, where=st.integers(0, LENGTH - 1), what=st.characters())
def test_any_changed_character_is_detected(key: str, where: int, what: str) -> None:
    changed = key[:where] + what + key[where + 1 :]
    assert is_well_formed(changed) is (changed == key)


@given(key=KEYS, where=st.integers(0, LENGTH - 2))
def test_two_swapped_characters_are_detected(key: str, where: int) -> None:
    swapped = key[:where] + key[where + 1] + key[where] + key[where + 2 :]
    assert is_well_formed(swapped) is (swapped == key)


@given(key=KEYS, where=st.integers(0, LENGTH), what=st.characters())
def test_a_missing_or_extra_character_is_detected(key: str, where: int, what: str) -> None:
    assert not is_well_formed(key[:where] + what + key[where:])
    assert not is_well_formed(key[:where] + key[where + 1 :]) or where == LENGTH


@given(st.text(max_size=60))
def test_any_text_is_hashed_or_rejected(text: str) -> None:
    if is_well_formed(text):
        assert len(checked_hash(text)) == 32
    else:
        with pytest.raises(Unauthenticated):
            checked_hash(text)
