"""The import names the broken file and the error, and writes nothing."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4
from zipfile import ZIP_STORED, ZipFile

import pytest

from atrium.imports import archive
from tests.conftest import Api
from tests.imports.export import one_day, rooms_named, run_import, slack_message, write_zip

DAY = "general/2017-07-14.json"
GOOD = {"general/2017-07-13.json": [slack_message(1), slack_message(2)]}
FUTURE = "99999999999.000000"
# $1 organization_id
TRACES = """
with spaces_of as (select space_id from spaces where organization_id = $1),
     rooms_of as (select room_id from rooms join spaces_of using (space_id))
select (select count(*) from imported where scope_id = $1 or scope_id in (select space_id from spaces_of)) as imported,
       (select count(*) from rooms_of) as rooms,
       (select count(*) from memberships where organization_id = $1) as members,
       (select count(*) from messages join rooms_of using (room_id)) as messages
"""


def with_day(content: Any) -> Callable[[Path], object]:
    return lambda path: write_zip(path, {**GOOD, DAY: content})


def no_zip(path: Path) -> None:
    path.write_text("users.json")


def truncate(path: Path) -> None:
    one_day(path, [slack_message(n, "x" * 100) for n in range(100)])
    path.write_bytes(path.read_bytes()[:-200])


def flip_bit(path: Path) -> None:
    with ZipFile(path, "w", ZIP_STORED) as file:
        file.writestr("users.json", "[]")
        file.writestr("channels.json", '[{"id": "C1", "name": "general"}]')
        file.writestr(DAY, '[{"ts": "1500000000.000000", "text": "hello"}]')
    path.write_bytes(path.read_bytes().replace(b"hello", b"jello", 1))


def without(name: str) -> Callable[[Path], object]:
    return lambda path: write_zip(path, GOOD, **{name: None})


def with_top(**content: Any) -> Callable[[Path], object]:
    return lambda path: write_zip(path, GOOD, **content)


BROKEN: list[tuple[Callable[[Path], object], str]] = [
    (no_zip, "broken.zip: is not a zip file"),
    (truncate, "broken.zip: is truncated"),
    (flip_bit, f"{DAY}: is damaged (Bad CRC-32"),
    (without("channels"), "broken.zip: is not a Slack export: it has no channels.json"),
    (without("users"), "broken.zip: is an incomplete Slack export: it has no users.json"),
    (with_top(users={}), "users.json: is not a JSON array"),
    (with_top(users=[{"name": "x"}]), "users.json: a user has no id"),
    (with_top(channels=[]), "channels.json: has no channels"),
    (with_top(channels=[{"id": "C1"}]), "channels.json: a channel has no name"),
    (with_top(channels=["general"]), "channels.json: contains something that is not a JSON object"),
    (with_day('[{"ts": '), f"{DAY}: is not valid JSON"),
    (with_day(b"\xff\xfe\xfd"), f"{DAY}: is not valid JSON"),
    (with_day("[" * 200_000), f"{DAY}: is not valid JSON"),
    (with_day({"messages": []}), f"{DAY}: is not a JSON array"),
    (with_day([slack_message(3), {"text": "when?"}]), f"{DAY}: a message has no ts"),
    (with_day([{**slack_message(3), "ts": "soon"}]), f"{DAY}: the ts 'soon' is not a Slack timestamp"),
    (with_day([{**slack_message(3), "ts": 1500000000.1}]), f"{DAY}: the ts 1500000000.1 is not a Slack timestamp"),
    (with_day([slack_message(3, thread_ts="x")]), f"{DAY}: the thread_ts 'x' is not a Slack timestamp"),
    (with_day([{**slack_message(3), "ts": FUTURE}]), f"{DAY}: the ts {FUTURE} is in the future"),
    (with_day([3]), f"{DAY}: contains something that is not a JSON object"),
]


@pytest.mark.parametrize(("make", "error"), BROKEN, ids=[error[:60] for _, error in BROKEN])
def test_a_broken_export_is_named_and_nothing_is_written(
    api: Api, tmp_path: Path, make: Callable[[Path], object], error: str
) -> None:
    make(tmp_path / "broken.zip")
    before = traces(api)
    result = run_import(api, tmp_path / "broken.zip")
    assert result.status == 1
    assert result.error.startswith(f"nothing was imported: {error}")
    assert traces(api) == before


def traces(api: Api) -> list[Any]:
    """Count the rows of the organization; other tests may change other organizations at the same time."""
    [counts] = api.sql(TRACES, UUID(api.organization_id))
    return list(counts.values())


def test_a_missing_file_is_named(api: Api, tmp_path: Path) -> None:
    assert run_import(api, tmp_path / "none.zip").error == "nothing was imported: none.zip: file not found"


def test_a_member_that_is_too_large_is_not_uncompressed(
    api: Api, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MAX_BYTES", 1024**2)
    path = write_zip(tmp_path / "bomb.zip", {DAY: b"[" + b" " * 1024**2 + b"]"})
    assert f"{DAY}: is larger than 1 MiB uncompressed" in run_import(api, path).error


def test_member_names_outside_the_export_are_ignored(api: Api, tmp_path: Path) -> None:
    days = {**GOOD, "../general/2017-07-15.json": [slack_message(5)], "../../etc/2017-07-15.json": [slack_message(6)]}
    assert run_import(api, write_zip(tmp_path / "slip.zip", days)).summary["messages"] == (2, 0)
    assert list(tmp_path.iterdir()) == [tmp_path / "slip.zip"]


def test_a_destination_that_does_not_exist_is_named(api: Api, outsider: Api, tmp_path: Path) -> None:
    path, unknown = write_zip(tmp_path / "good.zip", GOOD), str(uuid4())
    assert run_import(api, path, organization=unknown).error == f"organization {unknown} does not exist"
    assert run_import(api, path, space=unknown).error == f"space {unknown} does not exist"
    result = run_import(api, path, space=outsider.space_id)
    assert result.error == f"space {outsider.space_id} does not belong to organization {api.organization_id}"
    assert rooms_named(api, "general") == []
