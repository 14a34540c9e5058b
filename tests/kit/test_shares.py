"""Owners share places: one alone gets half, and there is always one for the next."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atrium.kit.process.shares import Shares

STEPS = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.booleans()), max_size=300)


@given(st.integers(1, 40), STEPS)
def test_an_owner_without_a_place_gets_one_while_fewer_owners_than_places_have_some(
    places: int, steps: list[tuple[str, bool]]
) -> None:
    shares = Shares(places)
    for owner, takes in steps:
        if takes and shares.may_take(owner):
            shares.take(owner)
        elif not takes and shares.taken[owner]:
            shares.give_back(owner)
        assert shares.free == places - shares.taken.total() >= 0
        assert all(shares.taken.values())


@pytest.mark.contract("Live events 13")
@given(st.integers(1, 100), st.integers(1, 9))
def test_owners_that_take_all_they_can_leave_one_more_share(places: int, owners: int) -> None:
    shares = Shares(places)
    while able := [owner for owner in range(owners) if shares.may_take(owner)]:
        shares.take(shares.least(able))
    assert max(shares.taken.values()) - min(shares.taken[owner] for owner in range(owners)) <= 1
    assert shares.free >= places // (owners + 1)
    assert shares.may_take("another") == (shares.free > 0)
