"""Browser sessions: started with a password, sent in a cookie, listed, and ended immediately on every process."""

import httpx
import pytest

from atrium.keys.tokens import is_well_formed
from tests.conftest import TLS, Api
from tests.contract.tour import assert_problem
from tests.sessions.visitor import PASSWORD, PROFILE, SESSIONS, Visitor, browser, status_of, visitor

MINE, CURRENT = "/v1/me/sessions", "/v1/sessions/current"
MANY = 12  # requests on new connections: enough that both processes answer some


@pytest.fixture
def grace(api: Api) -> Visitor:
    return visitor(api)


def everywhere(client: httpx.Client, path: str = PROFILE) -> set[int]:
    """Return the statuses of the same request on many new connections, and so on every process."""
    headers = {"cookie": "; ".join(f"{name}={value}" for name, value in client.cookies.items())}
    url = str(client.base_url).rstrip("/") + path
    return {httpx.get(url, headers=headers, verify=TLS, timeout=60).status_code for _ in range(MANY)}


@pytest.mark.contract("Signing in 2")
def test_a_sign_in_returns_session_and_profile_and_sets_a_cookie_no_script_can_read(grace: Visitor) -> None:
    client = browser(grace.api)
    answer = grace.sign_in(client=client)
    assert answer.status_code == 201, answer.text
    assert set(answer.json()) == {"session", "profile"}
    assert answer.json()["profile"]["email"] == grace.email
    session = answer.json()["session"]
    assert (session["user_agent"], session["address"], session["signed_in_by"], session["current"]) == (
        "Test browser",
        "127.0.0.1",
        "password",
        True,
    )
    cookie = answer.headers["set-cookie"]
    assert {"HttpOnly", "SameSite=Lax", "Path=/", f"Max-Age={30 * 86400}"} <= set(cookie.split("; "))
    assert "Secure" not in cookie  # this server uses http
    token = client.cookies["atrium_session"]
    assert token.startswith("atrs_")
    assert is_well_formed(token)
    assert token not in answer.text
    assert client.get(PROFILE).json() == answer.json()["profile"]


@pytest.mark.contract("Signing in 3")
def test_a_session_has_the_access_of_its_person(grace: Visitor) -> None:
    client = grace.signed_in_client()
    sent = client.post(grace.api.messages, json={"text": "from a browser"})
    assert sent.status_code == 201, sent.text
    assert sent.json()["user_id"] == grace.person_id
    assert client.get(grace.api.messages).json()["messages"][0]["text"] == "from a browser"
    assert client.get("/v1/me/organizations").json()["organizations"][0]["role"] == "member"
    assert_problem(client.get(f"{grace.api.organization}/webhooks"), 403)


def test_a_wrong_password_an_unknown_address_and_no_password_are_the_same_error(grace: Visitor) -> None:
    keyed = Visitor(grace.api, grace.api.person.get(PROFILE).json()["email"], grace.api.person_id)
    unknown = Visitor(grace.api, f"nobody-{grace.email}", "")
    answers = [grace.sign_in("wrong wrong wrong"), unknown.sign_in(), keyed.sign_in()]
    problems = [assert_problem(answer, 401) for answer in answers]
    assert all("set-cookie" not in answer.headers for answer in answers)
    assert len({str({**problem, "request_id": ""}) for problem in problems}) == 1
    assert problems[0]["code"] == "sign_in_refused"


def test_the_address_is_case_insensitive(grace: Visitor) -> None:
    assert Visitor(grace.api, grace.email.upper(), "").sign_in().status_code == 201


@pytest.mark.contract("Signing in 3")
def test_sessions_are_listed_with_the_current_one_marked_and_are_not_keys(grace: Visitor) -> None:
    first, second = grace.signed_in_client(), grace.signed_in_client()
    listed = second.get(MINE).json()["sessions"]
    assert [each["signed_in_by"] for each in listed] == ["invitation", "password", "password"]
    assert [each["current"] for each in listed] == [False, False, True]
    assert second.get("/v1/me/integrations").json()["integrations"] == []
    session_id = listed[0]["session_id"]
    assert_problem(second.delete(f"/v1/me/integrations/{session_id}"), 404)
    assert_problem(second.post(f"/v1/me/integrations/{session_id}/rotate"), 404)
    page = first.get(MINE, params={"limit": 1}).json()
    assert len(page["sessions"]) == 1
    assert first.get(MINE, params={"cursor": page["next_cursor"]}).json()["sessions"][0]["current"] is True


@pytest.mark.contract("Signing in 4")
def test_signing_out_ends_the_session_on_every_process_and_clears_the_cookie(grace: Visitor) -> None:
    client, other = grace.signed_in_client(), grace.signed_in_client()
    assert everywhere(client) == {200}
    copy = httpx.Client(base_url=client.base_url, cookies=dict(client.cookies), timeout=60)
    answer = client.delete(CURRENT)
    assert (answer.status_code, answer.content) == (204, b"")
    assert "Max-Age=0" in answer.headers["set-cookie"]
    assert "atrium_session" not in client.cookies
    assert everywhere(copy) == {401}
    assert everywhere(copy, grace.api.messages) == {401}
    assert status_of(other) == 200


def test_a_session_can_end_another_one(grace: Visitor) -> None:
    lost, mine = grace.signed_in_client(), grace.signed_in_client()
    lost_id = next(each for each in lost.get(MINE).json()["sessions"] if each["current"])["session_id"]
    assert mine.delete(f"{MINE}/{lost_id}").status_code == 204
    assert everywhere(lost) == {401}
    assert assert_problem(mine.delete(f"{MINE}/{lost_id}"), 404)["code"] == "session_not_found"


def test_a_session_of_another_person_cannot_be_ended(api: Api, grace: Visitor) -> None:
    mine, other = grace.signed_in_client(), visitor(api).signed_in_client()
    session_id = mine.get(MINE).json()["sessions"][-1]["session_id"]
    assert_problem(other.delete(f"{MINE}/{session_id}"), 404)
    assert status_of(mine) == 200


@pytest.mark.contract("Signing in 4")
@pytest.mark.parametrize("keep", [True, False])
def test_signing_out_everywhere_ends_all_or_all_others(grace: Visitor, keep: bool) -> None:
    others, mine = [grace.signed_in_client(), grace.signed_in_client()], grace.signed_in_client()
    assert mine.delete(MINE, params={"keep_current": "true"} if keep else {}).status_code == 204
    assert [everywhere(each) for each in others] == [{401}, {401}]
    assert everywhere(mine) == ({200} if keep else {401})


def test_a_key_cannot_sign_out(grace: Visitor) -> None:
    key = grace.signed_in_client().post("/v1/me/integrations", json={"content": {"name": "Laptop"}}).json()["key"]
    client = grace.api.client(key)
    assert assert_problem(client.delete(CURRENT), 404)["code"] == "session_not_found"
    assert status_of(client) == 200
    assert client.delete(MINE).status_code == 204
    assert status_of(client) == 200


@pytest.mark.contract("Signing in 4")
def test_a_deactivated_account_is_signed_out_everywhere_and_cannot_sign_in(api: Api, grace: Visitor) -> None:
    client = grace.signed_in_client()
    api.sql(
        "insert into sign_in_links values (sha256('deactivated'), $1::text::uuid, now(), now() + interval '1 hour')",
        grace.person_id,
    )
    member = f"{api.organization}/members/{grace.person_id}"
    assert api.person.patch(member, json={"content": {"active": False}}).status_code == 200
    assert everywhere(client) == {401}
    assert assert_problem(grace.sign_in(), 401)["code"] == "sign_in_refused"
    link = browser(api).post(f"{SESSIONS}/link", json={"content": {"token": "deactivated"}})
    assert assert_problem(link, 401)["code"] == "link_refused"
    before = api.sql("select count(*) from mails where recipient = $1", grace.email)[0]["count"]
    for path in ("/v1/sign-in-links", "/v1/password-resets"):
        assert browser(api).post(path, json={"content": {"email": grace.email}}).status_code == 202
    assert api.sql("select count(*) from mails where recipient = $1", grace.email)[0]["count"] == before


@pytest.mark.contract("Signing in 31")
def test_only_the_hash_of_a_session_is_stored(grace: Visitor) -> None:
    token = grace.signed_in_client().cookies["atrium_session"]
    tables = ("api_keys", "sessions", "passwords", "audit_entries", "mails")
    for table in tables:
        rows = "\n".join(row["row"] for row in grace.api.sql(f"select t::text as row from {table} t"))
        assert token not in rows
        assert PASSWORD not in rows


def test_a_cookie_accepts_only_a_session(grace: Visitor) -> None:
    """Otherwise an attacker who can set a cookie could make a browser use the attacker's key."""
    key = grace.signed_in_client().post("/v1/me/integrations", json={"content": {"name": "Laptop"}}).json()["key"]
    for value in (key, "atrs_x", "", "x" * 5000):
        client = browser(grace.api)
        client.cookies.set("atrium_session", value)
        assert_problem(client.get(PROFILE), 401)
        assert_problem(client.get(grace.api.messages), 401)


def test_a_key_in_the_header_overrides_the_cookie(api: Api, grace: Visitor) -> None:
    client = grace.signed_in_client()
    named = client.get(PROFILE, headers={"authorization": f"Bearer {api.personal_key}"}).json()
    assert named["person_id"] == api.person_id
    assert_problem(client.get(PROFILE, headers={"authorization": "Bearer atrp_x"}), 401)


def test_a_session_that_ended_long_ago_is_deleted_and_its_account_stays_protected(api: Api, outsider: Api) -> None:
    """An invitation adopts only imported accounts that were never used."""
    grace = visitor(api)
    api.sql("delete from api_keys where actor_id = $1::text::uuid", grace.person_id)
    again = api.person.post(f"{api.organization}/invitations", json={"content": {"email": grace.email}})
    assert assert_problem(again, 409)["code"] == "already_member"
    response = outsider.person.post(f"{outsider.organization}/invitations", json={"content": {"email": grace.email}})
    body = {"content": {"token": response.json()["token"], "name": "Mallory", "password": "mallory mallory"}}
    assert assert_problem(browser(api).post("/v1/invitations/accept", json=body), 409)["code"] == "account_exists"
