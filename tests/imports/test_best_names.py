"""People of an export: by the best name that it has, one for each address, and times that can be true."""

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Api
from tests.imports.export import ADA, GENERAL, T0, history, members, one_day, rooms_named, run_import, slack_message, ts

REACTED = slack_message(1, "hi", reactions=[{"name": "+1", "users": ["U9"]}])


@pytest.mark.contract("Messages and blocks 31")
@pytest.mark.parametrize(
    "named",
    [
        slack_message(2, "me", user="U9", user_profile={"real_name": "Grace H"}),
        slack_message(2, "me", user="U9", user_profile={"name": "Grace H"}),
        slack_message(2, "thanks <@U9|Grace H>"),
    ],
    ids=["real name", "name", "mention"],
)
def test_the_best_name_in_the_export_is_used(api: Api, tmp_path: Path, named: dict[str, Any]) -> None:
    run_import(api, one_day(tmp_path / "a.zip", [REACTED, named], users=[ADA]))
    assert {"Ada L", "Grace H"} <= set(members(api))


def test_users_json_without_a_name_does_not_hide_one(api: Api, tmp_path: Path) -> None:
    own = slack_message(2, "me", user="U9", user_profile={"real_name": "Grace H"})
    run_import(api, one_day(tmp_path / "a.zip", [REACTED, own], users=[ADA, {"id": "U9"}]))
    assert members(api)["Grace H"]["active"] is True


@pytest.mark.contract("Messages and blocks 31")
def test_a_later_export_betters_a_name_but_no_chosen_one(api: Api, tmp_path: Path) -> None:
    run_import(api, one_day(tmp_path / "a.zip", [REACTED], users=[ADA]))
    person_id = members(api)["U9"]["person_id"]
    run_import(
        api,
        one_day(
            tmp_path / "b.zip",
            [REACTED],
            users=[{**ADA, "profile": {"real_name": "Not Ada"}}, {"id": "U9", "profile": {"real_name": "Grace H"}}],
        ),
    )
    found = members(api)
    assert found["Grace H"]["person_id"] == person_id
    assert "Ada L" in found and "Not Ada" not in found


def test_a_bot_without_a_name_has_that_of_its_other_messages(api: Api, tmp_path: Path) -> None:
    bot = {"subtype": "bot_message", "bot_id": "B1", "user": None}
    run_import(
        api, one_day(tmp_path / "a.zip", [slack_message(1, "a", **bot), slack_message(2, "b", **bot, username="ci")])
    )
    names = {str(row["actor_id"]): row["name"] for row in api.sql("select actor_id, name from actors")}
    assert [names[each["user_id"]] for each in history(api)] == ["ci", "ci"]


@pytest.mark.contract("Messages and blocks 31")
@pytest.mark.parametrize("is_old_first", [True, False])
def test_of_two_accounts_with_one_address_the_active_one_counts(api: Api, tmp_path: Path, is_old_first: bool) -> None:
    address = f"grace.{api.room_id}@example.org"
    old = {"id": "U8", "deleted": True, "profile": {"real_name": "grace-old", "email": address.upper()}}
    new = {"id": "U9", "profile": {"real_name": "Grace H", "email": address}}
    users = [ADA, old, new] if is_old_first else [ADA, new, old]
    messages = [slack_message(1, "then", user="U8"), slack_message(2, "now", user="U9")]
    result = run_import(api, one_day(tmp_path / "a.zip", messages, users=users))
    assert result.summary["people"] == (2, 1)
    found = members(api)
    assert found["Grace H"]["active"] is True and "grace-old" not in found
    assert {each["user_id"] for each in history(api)} == {found["Grace H"]["person_id"]}


@pytest.mark.contract("Messages and blocks 32")
@pytest.mark.parametrize("created", [T0 * 1000, 2_700_000_000, True, -5, "soon", 10**30, [T0]])
def test_an_impossible_time_of_creation_is_as_unknown(api: Api, tmp_path: Path, created: Any) -> None:
    channel = {**GENERAL, "created": created}
    result = run_import(api, one_day(tmp_path / "a.zip", [slack_message(1)], channels=[channel]))
    assert rooms_named(api, "general")[0]["created_at"] == "2017-07-14T02:40:01.000Z"
    assert "channels created at an impossible time, now as old as their first message: 1: general" in result.text


@pytest.mark.parametrize("created", [T0, float(T0), str(T0)])
def test_a_time_of_creation_is_read_in_any_type(api: Api, tmp_path: Path, created: Any) -> None:
    run_import(api, one_day(tmp_path / "a.zip", [slack_message(1)], channels=[{**GENERAL, "created": created}]))
    assert rooms_named(api, "general")[0]["created_at"] == "2017-07-14T02:40:00.000Z"


@pytest.mark.contract("Messages and blocks 32")
@pytest.mark.parametrize("edited", ["2700000000.000000", "999999999999", ts(0), 5, True])
def test_an_impossible_time_of_an_edit_is_as_unknown(api: Api, tmp_path: Path, edited: Any) -> None:
    message = slack_message(1, edited={"user": "U1", "ts": edited})
    result = run_import(api, one_day(tmp_path / "a.zip", [message]))
    assert history(api)[0]["edited_at"] is None
    assert "messages edited at an impossible time, now without one: 1" in result.text
