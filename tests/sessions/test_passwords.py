"""Passwords: changed with the current one, hashed, and never returned."""

import asyncio

import argon2
import asyncpg
import httpx
import pytest

from atrium.sessions.passwords import hashing
from tests.cheap_hashes import REAL
from tests.conftest import Api
from tests.contract.tour import assert_problem
from tests.sessions.visitor import PASSWORD, browser, mails_to, status_of, visitor

MINE, NEW = "/v1/me/password", "another good password"
WAITS_FOR_THIS = "select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))"


@pytest.mark.contract("Signing in 10")
def test_a_new_password_needs_the_current_one_and_signs_out_all_other_browsers(api: Api) -> None:
    grace = visitor(api)
    other, client = grace.signed_in_client(), grace.signed_in_client()
    body = {"content": {"password": NEW, "current_password": PASSWORD}}
    changed = client.put(MINE, json=body)
    assert (changed.status_code, changed.json()) == (200, {"password_set": True})
    assert (status_of(client), status_of(other)) == (200, 401)
    assert_problem(grace.sign_in(), 401)
    assert grace.sign_in(NEW).status_code == 201
    assert "was changed" in mails_to(api, grace.email)[-1]


@pytest.mark.contract("Signing in 18")
def test_a_key_that_is_revoked_meanwhile_sets_no_password(api: Api) -> None:
    """Who verified the address of the account took it over: the request of its former user comes too late."""
    person_id, key = api.new_person()

    async def act() -> httpx.Response:
        db = await asyncpg.connect(api.settings.database_url)
        try:
            async with db.transaction():
                await db.execute("select from people where person_id::text = $1 for update", person_id)
                body = {"content": {"password": NEW}}
                setting = asyncio.create_task(asyncio.to_thread(api.client(key).put, MINE, json=body))
                while not await db.fetch(WAITS_FOR_THIS) and not setting.done():
                    await asyncio.sleep(0.01)
                await db.execute("update api_keys set revoked_at = now() where actor_id::text = $1", person_id)
            return await setting
        finally:
            await db.close()

    assert_problem(asyncio.run(act()), 401)
    assert api.sql("select from passwords where person_id::text = $1", person_id) == []


@pytest.mark.parametrize("current", [{}, {"current_password": None}, {"current_password": "wrong"}])
def test_without_the_current_password_it_does_not_change(api: Api, current: dict[str, str | None]) -> None:
    grace = visitor(api)
    other, client = grace.signed_in_client(), grace.signed_in_client()
    refused = client.put(MINE, json={"content": {"password": NEW, **current}})
    assert assert_problem(refused, 403)["code"] == "wrong_password"
    assert status_of(other) == 200
    assert grace.sign_in().status_code == 201


def test_a_person_without_a_password_can_set_one(api: Api) -> None:
    assert api.person.put(MINE, json={"content": {"password": NEW}}).status_code == 200
    assert "was set" in mails_to(api, api.person.get("/v1/me/profile").json()["email"])[-1]
    refused = api.person.put(MINE, json={"content": {"password": PASSWORD}})
    assert assert_problem(refused, 403)["code"] == "wrong_password"
    assert_problem(api.integration.put(MINE, json={"content": {"password": NEW}}), 403)


@pytest.mark.contract("Roles and keys 20")
def test_an_expiring_key_cannot_set_a_first_password(api: Api) -> None:
    content = {"name": "For an hour", "expires_at": "2090-01-01"}
    client = api.client(api.person.post("/v1/me/integrations", json={"content": content}).json()["key"])
    assert_problem(client.put(MINE, json={"content": {"password": NEW}}), 403)
    assert api.person.put(MINE, json={"content": {"password": NEW}}).status_code == 200
    known = {"password": PASSWORD, "current_password": NEW}
    assert client.put(MINE, json={"content": known}).status_code == 200, "who knows the present one needs no key"


@pytest.mark.parametrize("password", ["", "eleven char", "x" * 201, "nul\u0000nul\u0000nul"])
def test_a_password_out_of_bounds_is_rejected_and_not_repeated(api: Api, password: str) -> None:
    refused = api.person.put(MINE, json={"content": {"password": password}})
    assert assert_problem(refused, 400)["errors"][0]["pointer"] == "/content/password"
    assert not password or password not in refused.text


def stored_hash(api: Api, person_id: str) -> str:
    [row] = api.sql("select hash from passwords where person_id = $1::text::uuid", person_id)
    return row["hash"]


@pytest.mark.contract("Signing in 1")
def test_a_password_is_stored_as_argon2id(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    assert stored_hash(api, visitor(api).person_id).startswith("$argon2id$v=19$")
    monkeypatch.setattr(hashing, "_hasher", REAL)
    hashed = asyncio.run(hashing.hash_password(PASSWORD))
    assert hashed.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert asyncio.run(hashing.matches(hashed, PASSWORD))


def test_a_hash_with_other_parameters_is_replaced_at_the_next_sign_in(api: Api) -> None:
    grace = visitor(api)
    right = stored_hash(api, grace.person_id)
    api.sql("update passwords set hash = $2 where person_id = $1::text::uuid", grace.person_id, REAL.hash(PASSWORD))
    assert grace.sign_in().status_code == 201
    assert parameters_of(stored_hash(api, grace.person_id)) == parameters_of(right)
    assert grace.sign_in().status_code == 201


def parameters_of(hashed: str) -> argon2.Parameters:
    return argon2.extract_parameters(hashed)


def test_the_same_characters_typed_in_another_way_are_the_same_password() -> None:
    async def both() -> tuple[bool, bool]:
        stored = await hashing.hash_password("Gru\u0308\u00dfe \uff11\uff12\uff13 Gr\u00fc\u00dfe")
        same = await hashing.matches(stored, "Gr\u00fc\u00dfe 123 Gru\u0308\u00dfe")
        return same, await hashing.matches(stored, "Gruße 123 Gruße")

    assert asyncio.run(both()) == (True, False)


def test_an_account_without_a_password_accepts_none_not_even_the_dummy() -> None:
    async def try_passwords() -> list[bool]:
        return [await hashing.matches(None, text) for text in ("nobody's", "", "x")]

    assert asyncio.run(try_passwords()) == [False, False, False]


def test_hashing_does_not_block_the_event_loop_and_excess_sign_ins_are_rejected() -> None:
    async def crowd() -> list[object]:
        waiting = [asyncio.create_task(hashing.matches(None, "x")) for _ in range(80)]
        await asyncio.sleep(0)
        assert not any(each.done() and each.exception() is None for each in waiting)
        return await asyncio.gather(*waiting, return_exceptions=True)

    found = asyncio.run(crowd())
    assert sum(each is False for each in found) == hashing.MAX_CONCURRENT + hashing.MAX_QUEUED
    assert {getattr(each, "code", None) for each in found} == {None, "unavailable"}


def test_a_person_can_change_their_name(api: Api) -> None:
    client = visitor(api).signed_in_client()
    changed = client.patch("/v1/me/profile", json={"content": {"name": "Rear Admiral"}})
    assert (changed.status_code, changed.json()["name"]) == (200, "Rear Admiral")
    assert client.get("/v1/me/profile").json() == changed.json()
    assert_problem(client.patch("/v1/me/profile", json={"content": {"name": " "}}), 400)
    assert_problem(client.patch("/v1/me/profile", json={"content": {"email": "x@example.org"}}), 400)


def test_the_available_ways_to_sign_in_are_listed(api: Api) -> None:
    methods = {"password": True, "link": True, "oidc": None, "mail_server": False}
    assert browser(api).get("/v1/sign-in/methods").json() == methods
