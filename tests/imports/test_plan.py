"""The ids and parts of imported messages."""

from itertools import pairwise
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from atrium.imports.contents import Thread
from atrium.imports.plan import LONGEST_TEXT, imported_id, parts_of, seq_of
from atrium.imports.slack import in_microseconds
from atrium.messages.limits import content_bytes, max_content_bytes

ROOM = UUID("01890000-0000-7000-8000-000000000001")
TIMES = st.integers(min_value=0, max_value=2_000_000_000_000_000)


@given(st.lists(st.tuples(TIMES, st.integers(0, (1 << 26) - 1)), unique=True, min_size=2))
def test_ids_increase_with_time_and_with_order_at_the_same_time(places: list[tuple[int, int]]) -> None:
    ids = [imported_id(ROOM, *place) for place in sorted(places)]
    assert all(before < after for before, after in pairwise(ids))
    assert all(before.bytes < after.bytes for before, after in pairwise(ids))


@given(TIMES)
def test_an_id_is_a_stable_uuid7_of_its_millisecond(time_us: int) -> None:
    made = imported_id(ROOM, time_us)
    assert made == imported_id(ROOM, time_us)
    assert (made.version, made.variant, made.int >> 80) == (7, "specified in RFC 4122", time_us // 1000)
    assert seq_of(made) >> 12 == time_us // 1000


@given(st.integers(0, 130_000), st.integers(1, 50_000))
def test_a_long_text_is_split_without_loss(length: int, spaced: int) -> None:
    text = (("x" * spaced + " ") * (length // spaced + 1))[:length]
    parts = list(parts_of(text))
    assert "".join(parts) == text
    assert all(len(part) <= LONGEST_TEXT for part in parts)


@pytest.mark.contract("Messages and blocks 17")
@settings(max_examples=20)
@given(st.integers(0, 90_000), st.sampled_from(["字", "𝄞", "\x01", "𝄞 "]))
def test_a_text_of_many_bytes_is_split_into_messages_without_loss(length: int, character: str) -> None:
    text = character * length
    parts = list(parts_of(text))
    assert "".join(parts) == text
    assert all(len(part) <= LONGEST_TEXT and content_bytes(part) <= max_content_bytes() for part in parts)


def test_slack_timestamps_are_read_to_the_microsecond() -> None:
    assert in_microseconds("1494517568.512661") == 1494517568512661
    assert in_microseconds("1494517568") == 1494517568000000
    assert in_microseconds("1494517568.5") == 1494517568500000


def test_a_reply_belongs_to_the_top_level_message_of_its_thread() -> None:
    thread = Thread({1: 0, 2: 1, 3: 2, 5: 4, 6: 9, 7: 6, 8: 8})
    assert [thread.top_of(time, root) for time, root in thread.roots.items()] == [0, 1, 1, 4, 0, 6, 0]
