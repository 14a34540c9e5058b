"""Times are parsed from any ISO 8601 format and written in one."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atrium.kit.clock import from_ms, parse_time, rfc3339, to_ms, truncate_to_ms

MOMENT = datetime(2026, 11, 21, 9, 7, 13, 460_000, UTC)
ZONES = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
TIMES = st.datetimes(datetime(1970, 1, 2), datetime(9999, 12, 30), timezones=ZONES)


@pytest.mark.contract("Conventions 1")
@pytest.mark.parametrize(
    "form",
    [
        "2026-11-21T09:07:13.460Z",
        "2026-11-21T09:07:13.46",
        "2026-11-21t09:07:13.460z",
        "20261121T090713,460Z",
        "2026-11-21T11:07:13.460+02:00",
        "2026-11-21T11:07:13.460 02:00",
        "2026-11-21 11:07:13.460+0200",
        "2026-11-21 11:07:13.460 02:00",
        "2026-11-21T04:37:13.460-04:30",
        "2026-W47-6T09:07:13.460Z",
        "2026-325T09:07:13.460Z",
        "2026325T090713.460Z",
        "  2026-11-21T09:07:13.460Z ",
    ],
)
def test_the_same_time_is_parsed_from_many_formats(form: str) -> None:
    assert parse_time(form) == MOMENT


@pytest.mark.parametrize(
    ("form", "moment"),
    [
        ("2026-11-21", datetime(2026, 11, 21, tzinfo=UTC)),
        ("20261121", datetime(2026, 11, 21, tzinfo=UTC)),
        ("2026-W47", datetime(2026, 11, 16, tzinfo=UTC)),
        ("2024-366", datetime(2024, 12, 31, tzinfo=UTC)),
        ("2026-11-21T09", datetime(2026, 11, 21, 9, tzinfo=UTC)),
        ("2026-11-21T09:07+01", datetime(2026, 11, 21, 8, 7, tzinfo=UTC)),
        ("2026-11", datetime(2026, 11, 1, tzinfo=UTC)),
    ],
)
def test_omitted_parts_of_a_time_are_their_minimum(form: str, moment: datetime) -> None:
    assert parse_time(form) == moment


@pytest.mark.contract("Conventions 1")
@pytest.mark.parametrize(
    ("form", "moment"),
    [
        ("2026-11-28T24:00:00Z", datetime(2026, 11, 29, tzinfo=UTC)),
        ("20261231T24", datetime(2027, 1, 1, tzinfo=UTC)),
        ("2026-11-28T24:00:00.000+02:00", datetime(2026, 11, 28, 22, tzinfo=UTC)),
        ("2026-11-28T10:30,5Z", datetime(2026, 11, 28, 10, 30, 30, tzinfo=UTC)),
        ("2026-11-28T10.25Z", datetime(2026, 11, 28, 10, 15, tzinfo=UTC)),
        ("2026-11-28T10:00:00.1234567899999999999Z", datetime(2026, 11, 28, 10, 0, 0, 123_456, UTC)),
        ("2026-11-28T10:00:00-00:00", datetime(2026, 11, 28, 10, tzinfo=UTC)),
        ("2026-11-28t10:00:00z", datetime(2026, 11, 28, 10, tzinfo=UTC)),
        ("2026-11-28T10:00:00-0330", datetime(2026, 11, 28, 13, 30, tzinfo=UTC)),
        ("2016-12-31T23:59:60Z", datetime(2017, 1, 1, tzinfo=UTC)),
        ("2017-01-01T01:59:60.5+02:00", datetime(2017, 1, 1, 0, 0, 0, 500_000, UTC)),
        ("2026W476T090713Z", datetime(2026, 11, 21, 9, 7, 13, tzinfo=UTC)),
    ],
)
def test_rare_forms_of_the_standard_are_times(form: str, moment: datetime) -> None:
    assert parse_time(form) == moment


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-21T24:00:01Z",
        "2026-11-21T24:01Z",
        "2026-11-21T24.1Z",
        "2026-11-21T09:60Z",
        "2026-11-21T09:0713Z",
        "2026-11-21T0907:13Z",
        "2026-11-21T09:07:60Z",
        "2026-11-21T23:59:61Z",
        "9999-12-31T24:00Z",
        "2026-00",
        "",
        " ",
        "now",
        "1763716033460",
        "2026-02-30",
        "2026-13-01",
        "2023-366",
        "2026-11-21T25:00",
        "2026-11-21T09:07:",
        "2026-11-21T09:07:13+25:00",
        "2026-11-21T09:07:13Zulu",
        "T09:07:13Z",
        "0001-01-01T00:00:00+01:00",
        "9999-12-31T23:59:59-01:00",
        "2026-11-21T09:07:13.460Z; drop",
        "٢٠٢٦-11-21",
        "2026-11-21TT09:07",
        "-2026-11-21",
    ],
)
def test_an_invalid_time_is_rejected(text: str) -> None:
    with pytest.raises(ValueError):
        parse_time(text)


@given(TIMES)
def test_every_formatted_time_parses_to_the_same_time(at: datetime) -> None:
    assert parse_time(at.isoformat()) == at
    assert parse_time(at.isoformat(" ").replace("+", " ")) == at
    assert parse_time(rfc3339(at)) == truncate_to_ms(at.astimezone(UTC))
    assert rfc3339(at).endswith("Z")


@given(st.text(max_size=40))
def test_any_text_is_a_time_or_raises_value_error(text: str) -> None:
    with suppress(ValueError):
        assert parse_time(text).tzinfo is UTC


@given(st.integers(0, 253_402_300_799_999))
def test_milliseconds_and_times_convert_to_each_other(ms: int) -> None:
    assert to_ms(from_ms(ms)) == ms
    assert parse_time(rfc3339(from_ms(ms))) == from_ms(ms)
