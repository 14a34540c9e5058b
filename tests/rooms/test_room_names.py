"""Two rooms of a space cannot have the same name, also when they get it at the same moment."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import httpx
import pytest

from tests.conftest import Api
from tests.contract.tour import assert_problem

CONCURRENT = 12
SAME = ["Plan B", "plan b", " Plan  B ", "PLAN\u00a0B", "Plan B\u200b", "\uff30lan B"]  # the last P is a full-width one


def create(api: Api, name: str, space_id: str | None = None) -> httpx.Response:
    return api.person.post(f"/v2/spaces/{space_id or api.space_id}/rooms", json={"name": name})


def rename(api: Api, room_id: str, name: str) -> httpx.Response:
    return api.person.patch(f"/v2/rooms/{room_id}", json={"name": name})


def assert_taken(answer: httpx.Response) -> None:
    assert assert_problem(answer, 409)["code"] == "room_name_taken"


def concurrently(act: Callable[[int], httpx.Response]) -> list[httpx.Response]:
    """Send CONCURRENT requests at the same moment; return the responses."""
    start = Barrier(CONCURRENT)

    def wait_and_act(nr: int) -> httpx.Response:
        start.wait()
        return act(nr)

    with ThreadPoolExecutor(CONCURRENT) as pool:
        return list(pool.map(wait_and_act, range(CONCURRENT)))


@pytest.mark.contract("Room 1")
@pytest.mark.parametrize("name", SAME)
def test_a_name_that_a_room_of_the_space_has_is_refused(api: Api, name: str) -> None:
    api.new_room(name="Plan B")
    assert_taken(create(api, name))
    assert_taken(rename(api, api.room_id, name))
    assert api.person.get(f"/v2/rooms/{api.room_id}").json()["name"] != name


def test_similar_names_and_the_same_name_in_another_space_are_accepted(api: Api) -> None:
    api.new_room(name="Plan B")
    for name in ("Plan C", "PlanB", "Plan-B", "Plän B", "Plan B (2)"):
        assert create(api, name).status_code == 201
    assert create(api, "Plan B", api.new_space()).status_code == 201


def test_a_room_may_change_the_case_of_its_name(api: Api) -> None:
    room_id = api.new_room(name="straße")["room_id"]
    for name in ("STRASSE", "STRASSE", "Straße"):
        assert rename(api, room_id, name).json()["name"] == name


@pytest.mark.contract("Room 1")
def test_an_archived_room_keeps_its_name_and_a_deleted_one_frees_it(api: Api) -> None:
    room_id = api.new_room(name="Plan B")["room_id"]
    assert api.person.patch(f"/v2/rooms/{room_id}", json={"archived": True}).status_code == 200
    assert_taken(create(api, "Plan B"))
    assert api.person.delete(f"/v2/rooms/{room_id}").status_code == 204
    assert create(api, "Plan B").status_code == 201


def test_a_new_name_frees_the_old_one(api: Api) -> None:
    room_id = api.new_room(name="Plan B")["room_id"]
    assert rename(api, room_id, "Plan C").status_code == 200
    assert create(api, "Plan B").status_code == 201


@pytest.mark.contract("Room 1")
def test_one_of_many_concurrent_requests_gets_the_name(api: Api) -> None:
    made = concurrently(lambda nr: create(api, SAME[nr % 3]))
    assert sorted(answer.status_code for answer in made) == [201] + [409] * (CONCURRENT - 1)
    rooms = [api.new_room()["room_id"] for _ in range(CONCURRENT)]
    renamed = concurrently(lambda nr: rename(api, rooms[nr], "Plan C"))
    assert sorted(answer.status_code for answer in renamed) == [200] + [409] * (CONCURRENT - 1)
    others = [room for room, answer in zip(rooms, renamed, strict=True) if answer.status_code == 409]
    mixed = concurrently(lambda nr: create(api, "Plan D") if nr % 2 else rename(api, others[nr // 2], "Plan D"))
    assert sorted(answer.status_code for answer in mixed)[1:] == [409] * (CONCURRENT - 1)
    names = [room["name"] for room in api.person.get(f"/v2/spaces/{api.space_id}/rooms").json()["rooms"]]
    assert [sum(name.startswith(f"Plan {letter}") for name in names) for letter in "CD"] == [1, 1]


def test_a_refused_request_changes_nothing_and_can_be_repeated_with_its_key(api: Api) -> None:
    room_id = api.new_room(name="Plan B")["room_id"]
    body = {"name": "Plan B", "description": "new"}
    assert_taken(api.person.patch(f"/v2/rooms/{api.room_id}", json=body))
    assert api.person.get(f"/v2/rooms/{api.room_id}").json()["description"] == ""
    key = {"idempotency-key": "once"}
    path = f"/v2/spaces/{api.space_id}/rooms"
    assert_taken(api.person.post(path, json=body, headers=key))
    api.person.delete(f"/v2/rooms/{room_id}")
    assert api.person.post(path, json=body, headers=key).status_code == 201
