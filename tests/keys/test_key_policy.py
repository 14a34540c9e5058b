"""The key policy of an organization: the keys that must meet it, its authors, and the limits of its effect."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg
import httpx
import pytest

from atrium.keys.tokens import hash_of
from atrium.kit.clock import parse_time, utc_now
from atrium.kit.http.route import Route
from atrium.live.event_log import read_access
from atrium.live.model import Subscription
from atrium.permissions import Subject
from atrium.routes import ROUTES
from tests.conftest import Api
from tests.contract.tour import assert_problem, populate
from tests.keys.limits import HOME, OWN, integration_key, own_key, place
from tests.keys.policies import Json, after, join, put, sign_in
from tests.live.client import listen, streams
from tests.sessions.visitor import browser, invite, mails_to, token_in, visitor

NOW = "2020-01-01T00:00:00Z"  # a time that has passed: enforce the policy now


def forbidden(answer: httpx.Response, *reasons: str) -> None:
    problem = assert_problem(answer, 403)
    assert (problem["code"], problem.get("reasons", [])) == ("key_policy", list(reasons))


@pytest.mark.contract("Scopes and networks 19", "Scopes and networks 20")
def test_new_rotated_and_extended_keys_must_fit_and_others_go_on(api: Api) -> None:
    made = [make(api, expires_at=after(days)) for make in (own_key, integration_key) for days in (20, 40)]
    effect = put(api, max_lifetime_days=30, require_networks=True)
    enforced = parse_time(effect["key_policy"]["enforce_at"])
    assert timedelta(days=29) < enforced - utc_now() < timedelta(days=31)
    create, keys = {"name": "x", "spaces": []}, f"{api.organization}/api-keys"
    further = f"{api.organization}/integrations/{made[2]['api_key']['integration_id']}/api-keys"
    for path, content in ((OWN, {"name": "x"}), (keys, create), (further, {"key_name": "x"})):
        forbidden(api.person.post(path, json={"content": content}), "max_lifetime", "networks")
        near = {**content, "allowed_networks": HOME, "expires_at": after(31)}
        forbidden(api.person.post(path, json={"content": near}), "max_lifetime")
        assert api.person.post(path, json={"content": {**near, "expires_at": after(29)}}).status_code == 201
    for shown in made:
        at, client = place(api, shown), api.client(shown["key"])
        assert client.get(api.messages).status_code == 200
        forbidden(api.person.post(f"{at}/rotate"), *["max_lifetime"] * (shown in made[1::2]), "networks")
        assert client.get(api.messages).status_code == 200, "a rotation that is rejected changes nothing"
        forbidden(api.person.patch(at, json={"content": {"expires_at": after(60)}}), "max_lifetime", "networks")
        assert api.person.patch(at, json={"content": {"expires_at": after(10), "name": "y"}}).is_success
        assert api.person.patch(at, json={"content": {"allowed_networks": HOME}}).is_success
        assert api.person.patch(at, json={"content": {"expires_at": after(28)}}).is_success
        assert api.person.post(f"{at}/rotate", json={"content": {"expires_at": after(29)}}).is_success


@pytest.mark.contract("Scopes and networks 19", "Scopes and networks 20")
@pytest.mark.parametrize(
    ("networks", "fit"),
    [
        (["0.0.0.0/0", "::/0"], False),
        (["126.0.0.0/7", "::1/128"], False),
        (["127.0.0.0/8", "2000::/15"], False),
        (["127.0.0.0/8", "2001::/16"], True),
    ],
)
def test_networks_that_are_too_wide_are_none(api: Api, networks: list[str], fit: bool) -> None:
    shown = integration_key(api, allowed_networks=networks)
    affected = put(api, require_networks=True, enforce_at=NOW)["affected"]["keys"]
    assert (shown["api_key"]["api_key_id"] not in [each["api_key_id"] for each in affected]) is fit
    assert api.client(shown["key"]).get(api.messages).is_success is fit
    content = {"content": {"name": "x", "allowed_networks": networks}}
    answer = sign_in(api).post(OWN, json=content)
    if fit:
        assert answer.status_code == 201
    else:
        forbidden(answer, "networks")


@pytest.mark.contract("Scopes and networks 19", "Scopes and networks 20")
def test_a_rotated_key_lives_from_its_rotation(api: Api) -> None:
    shown = integration_key(api)
    api.sql(
        "update api_keys set created_at = now() - interval '1 year' where api_key_id = $1",
        UUID(shown["api_key"]["api_key_id"]),
    )
    put(api, max_lifetime_days=30, enforce_at=NOW)
    forbidden(api.client(shown["key"]).get(api.messages))
    client = sign_in(api)
    rotated = client.post(f"{place(api, shown)}/rotate", json={"content": {"expires_at": after(29)}}).json()
    assert api.client(rotated["key"]).get(api.messages).status_code == 200


@pytest.mark.contract("Scopes and networks 21", "Scopes and networks 22")
def test_a_policy_stops_organization_keys_and_in_its_organization_alone_personal_keys(api: Api, outsider: Api) -> None:
    join(api, outsider)
    person, bot = api.client(own_key(api)["key"]), api.client(integration_key(api)["key"])
    hook = api.person.post(f"/v2/rooms/{api.room_id}/incoming-webhooks", json={"name": "x"}).json()["url"]
    session = sign_in(api)
    effect = put(api, require_networks=True, enforce_at=NOW)
    shown = effect["affected"]
    assert (shown["organization_keys"], shown["personal_keys"]) == (2, 2)
    assert {(each["is_personal"], tuple(each["reasons"]), each["stopped"]) for each in shown["keys"]} == {
        (True, ("networks",), True),
        (False, ("networks",), True),
    }
    for client in (person, bot):
        for path in (api.messages, f"/v2/rooms/{api.room_id}", api.organization, f"/v1/spaces/{api.space_id}"):
            forbidden(client.get(path))
    assert bot.get("/scim/v2/Users").status_code == 403
    assert person.get(outsider.organization).status_code == 200
    listed = person.get("/v1/me/organizations").json()["organizations"]
    assert [each["organization_id"] for each in listed] == [outsider.organization_id]
    assert session.get(api.messages).status_code == 200
    assert api.client(None).post(api.url + hook.removeprefix(api.url), json={"text": "hook"}).is_success
    elsewhere = session.post(OWN, json={"content": {"name": "for the other"}})
    assert elsewhere.status_code == 201, "one of the person's organizations allows it"
    forbidden(api.client(elsewhere.json()["key"]).get(api.messages))
    assert api.client(elsewhere.json()["key"]).get(outsider.organization).status_code == 200
    put(api, session)
    assert (person.get(api.messages).status_code, bot.get(api.messages).status_code) == (200, 200)


@pytest.mark.contract("Scopes and networks 21", "Scopes and networks 22")
def test_a_key_that_the_policy_does_not_allow_reaches_nothing_in_the_organization(api: Api) -> None:
    world = populate(api)
    barred = api.client(own_key(api)["key"])
    assert barred.get(api.organization).status_code == 200
    api.sql(
        "update api_keys set allowed_networks = $1::text[]::cidr[] where key_hash = any($2)",
        HOME,
        [hash_of(api.personal_key), hash_of(api.organization_key)],
    )
    put(api, require_networks=True, enforce_at=NOW)
    of_the_caller = (Subject.ANYONE, Subject.ACTOR, Subject.PERSON, Subject.DIRECTORY)
    routes: list[Route] = [route for route in ROUTES if route.permission.subject not in of_the_caller]
    answers = {route.handler.__name__: world.ask(route, barred) for route in routes}
    assert {name for name, answer in answers.items() if answer.status_code != 403} == set()
    assert {answer.json()["code"] for answer in answers.values()} == {"key_policy"}
    assert barred.get("/v1/me/profile").status_code == 200


@pytest.mark.contract("Scopes and networks 21", "Scopes and networks 22")
def test_a_key_that_some_policy_does_not_allow_changes_nothing_of_the_account_but_ends_access(
    api: Api, outsider: Api
) -> None:
    join(api, outsider)
    own, session = own_key(api), sign_in(api)
    at, other = place(api, own), place(api, own_key(api))
    barred = api.client(own["key"])
    put(api, max_lifetime_days=30, enforce_at=NOW)
    fits = {"expires_at": after(9)}
    for method, path, content in (
        ("POST", OWN, {"name": "x", **fits}),
        ("PATCH", at, fits),
        ("POST", f"{at}/rotate", fits),
        ("POST", f"{other}/rotate", fits),
        ("PATCH", "/v1/me/profile", {"name": "x"}),
        ("PUT", "/v1/me/password", {"password": "a password of its own"}),
    ):
        forbidden(barred.request(method, path, json={"content": content}))
    token = outsider.person.post(f"{outsider.organization}/invitations", json={"content": {"email": "x@example.org"}})
    joining = {"content": {"token": token.json()["token"], "name": "x"}}
    forbidden(barred.post("/v1/invitations/accept", json=joining))
    for path in ("/v1/me/profile", OWN, "/v1/me/sessions", outsider.organization):
        assert barred.get(path).status_code == 200
    assert barred.delete(other).status_code == 204
    assert barred.delete("/v1/me/sessions").status_code == 204
    assert session.get(OWN).status_code == 401


@pytest.mark.contract("Scopes and networks 21", "Scopes and networks 22")
def test_no_key_sets_a_first_password_under_a_policy(api: Api) -> None:
    put(api, max_lifetime_days=3650)
    content = {"content": {"password": "a password of its own"}}
    assert_problem(api.person.put("/v1/me/password", json=content), 403)
    assert sign_in(api).put("/v1/me/password", json=content).status_code == 200


@pytest.mark.contract("Scopes and networks 21", "Scopes and networks 22")
def test_roles_and_new_members_count_as_they_are_now(api: Api, outsider: Api) -> None:
    put(api, personal_keys="admins", enforce_at=NOW)
    admin_id, key = api.new_person("admin")
    admin, member = api.client(key), outsider.person
    joining = {"content": {"token": invite(api)[1], "name": "x"}}
    assert member.post("/v1/invitations/accept", json=joining).status_code == 201
    forbidden(member.get(api.organization))
    assert member.get(outsider.organization).status_code == 200
    forbidden(visitor(api).signed_in_client().post(OWN, json={"content": {"name": "x"}}), "personal_keys")
    assert admin.get(api.organization).status_code == 200
    change = {"content": {"role": "member"}}
    assert api.person.patch(f"{api.organization}/members/{admin_id}", json=change).is_success
    forbidden(admin.get(api.organization))
    assert api.integration.get(api.organization).status_code == 200


@pytest.mark.contract("Scopes and networks 23")
@pytest.mark.parametrize("rules", [{"personal_keys": "none"}, {"max_lifetime_days": 30}, {"require_networks": True}])
def test_an_invitation_gives_no_key_that_the_policy_does_not_allow(api: Api, rules: Json) -> None:
    put(api, **rules)
    email, token = invite(api)
    joining = {"content": {"token": token, "name": "Grace"}}
    joined = api.client(None).post("/v1/invitations/accept", json=joining)
    assert (joined.status_code, joined.json()["key"]) == (201, None)
    again = api.person.post(f"{api.organization}/invitations", json={"content": {"email": email, "role": "member"}})
    assert again.status_code == 409, "an admin who sees its token could act as them"
    assert api.client(None).post("/v1/sign-in-links", json={"content": {"email": email}}).status_code == 202
    client, link = browser(api), {"content": {"token": token_in(mails_to(api, email)[-1], "token")}}
    assert client.post("/v1/sessions/link", json=link).status_code == 201
    assert client.get(OWN).json()["integrations"] == []
    assert client.get(api.organization).json()["organization"]["role"] == "member"


@pytest.mark.contract("Scopes and networks 26")
def test_a_key_makes_the_policy_stricter_and_only_a_session_makes_it_looser(api: Api) -> None:
    put(api, require_networks=True, max_lifetime_days=90, personal_keys="admins", enforce_at=after(10))
    shown = api.person.get(f"{api.organization}/key-policy").json()["key_policy"]
    path = f"{api.organization}/key-policy"
    same = {name: shown[name] for name in ("require_networks", "max_lifetime_days", "personal_keys", "enforce_at")}
    for looser in (
        {"require_networks": False},
        {"max_lifetime_days": 91},
        {"max_lifetime_days": None},
        {"personal_keys": "allowed"},
        {"enforce_at": after(11)},
    ):
        for client in (api.person, api.integration):
            assert_problem(client.put(path, json={"content": {**same, **looser}}), 403)
    assert api.person.get(path).json()["key_policy"] == shown
    noted = _policy_records(api)
    assert put(api, **same)["key_policy"] == shown
    assert _policy_records(api) == noted, "the same policy changes nothing"
    put(api, **{**same, "personal_keys": "none", "max_lifetime_days": 30, "enforce_at": after(9)})
    assert put(api, sign_in(api), require_networks=True)["key_policy"]["max_lifetime_days"] is None
    assert api.person.get(path).json()["key_policy"]["personal_keys"] == "allowed"
    log = api.person.get(f"{api.organization}/audit-log", params={"action": "key_policy.updated"}).json()["entries"]
    assert (log[0]["before"]["max_lifetime_days"], log[0]["after"]["max_lifetime_days"]) == (30, None)


@pytest.mark.contract("Scopes and networks 24")
def test_a_preview_answers_as_the_change_would_and_changes_nothing(api: Api) -> None:
    quiet = [own_key(api, expires_at=after(5)) for _ in range(3)]
    rules = {"max_lifetime_days": 3, "enforce_at": after(40)}
    content = {"content": rules}
    previewed = api.person.post(f"{api.organization}/key-policy-preview", json=content).json()
    assert api.person.get(f"{api.organization}/key-policy").json()["key_policy"] == {
        "max_lifetime_days": None,
        "personal_keys": "allowed",
        "require_networks": False,
        "enforce_at": None,
    }
    for shown in quiet:
        assert api.person.post(f"{place(api, shown)}/rotate").is_success
    for answer in (previewed, put(api, **rules)):
        assert answer["affected"]["personal_keys"] == 4
        assert {each["api_key_id"] for each in answer["affected"]["keys"]} >= {
            shown["api_key"]["api_key_id"] for shown in quiet
        }
        assert {each["stopped"] for each in answer["affected"]["keys"]} == {False}
        assert answer["key_policy"]["enforce_at"] == rules["enforce_at"]
    wrong = {"content": {"enforce_at": "soon"}}
    assert_problem(api.person.post(f"{api.organization}/key-policy-preview", json=wrong), 400)
    assert_problem(api.person.put(f"{api.organization}/key-policy", json={"content": {"max_lifetime_days": 0}}), 400)


@pytest.mark.contract("Scopes and networks 24")
def test_the_first_hundred_affected_keys_are_listed_and_all_are_counted(api: Api) -> None:
    for _ in range(2):
        owner = UUID(api.new_integration()["api_key"]["integration_id"])
        api.sql(
            "insert into api_keys (api_key_id, actor_id, name, key_hash, last_four, created_at) select gen_random_uuid(), "
            "$1, 'k', sha256(gen_random_uuid()::text::bytea), 'xxxx', now() from generate_series(1, 60)",
            owner,
        )
    affected = put(api, require_networks=True)["affected"]
    assert (affected["organization_keys"], len(affected["keys"])) == (123, 100)


@pytest.mark.contract("Scopes and networks 24")
def test_keys_that_are_created_while_a_policy_is_set_fit_it_or_are_listed(api: Api) -> None:
    for _ in range(4):
        with ThreadPoolExecutor(8) as hands:
            created = [hands.submit(api.person.post, OWN, json={"content": {"name": "x"}}) for _ in range(4)]
            setting = hands.submit(put, api, require_networks=True)
            created += [hands.submit(api.person.post, OWN, json={"content": {"name": "x"}}) for _ in range(4)]
        affected = {each["api_key_id"] for each in setting.result()["affected"]["keys"]}
        for answer in (each.result() for each in created):
            if answer.status_code == 201:
                assert answer.json()["api_key"]["api_key_id"] in affected
            else:
                forbidden(answer, "networks")
        put(api, sign_in_again(api))


@pytest.mark.contract("Scopes and networks 24")
def test_a_key_is_changed_by_its_person_while_an_admin_revokes_it_or_sets_a_policy(api: Api) -> None:
    """All of them lock the organization first, so none waits for another that waits for it."""
    for _ in range(6):
        person_id, key = api.new_person()
        person = api.client(key)
        made = person.post(OWN, json={"content": {"name": "x", "expires_at": after(50)}}).json()["api_key"][
            "api_key_id"
        ]
        requests = [
            (api.person, "DELETE", f"{api.organization}/personal-keys/{made}", None),
            (api.person, "PUT", f"{api.organization}/key-policy", {"content": {}}),
            (api.person, "PATCH", f"{api.organization}/members/{person_id}", {"content": {"role": "guest"}}),
            (person, "POST", f"{OWN}/{made}/rotate", None),
            (person, "PATCH", f"{OWN}/{made}", {"content": {"expires_at": after(40)}}),
            (person, "POST", OWN, {"content": {"name": "another"}}),
        ]
        with ThreadPoolExecutor(6) as hands:
            answers = list(hands.map(lambda each: each[0].request(each[1], each[2], json=each[3]), requests))
        assert {answer.status_code for answer in answers} <= {200, 201, 204, 404}


def sign_in_again(api: Api) -> httpx.Client:
    """Return a client of another session of the super_admin, whose first link was used."""
    api.sql("update sign_in_links set used_at = null where person_id = $1", UUID(api.person_id))
    return sign_in(api)


@pytest.mark.contract("Scopes and networks 24")
def test_two_policies_at_the_same_time_are_set_one_after_the_other(api: Api) -> None:
    session = sign_in(api)
    with ThreadPoolExecutor(4) as hands:
        rules = [{"personal_keys": "none"}, {"require_networks": True}] * 4
        answers = list(hands.map(lambda each: put(api, session, **each), rules))
    final = api.person.get(f"{api.organization}/key-policy").json()["key_policy"]
    assert final in [answer["key_policy"] for answer in answers]
    log = api.person.get(f"{api.organization}/audit-log", params={"action": "key_policy.updated"}).json()["entries"]
    changes = [entry["after"]["personal_keys"] for entry in log if "personal_keys" in entry["after"]]
    assert changes.count("none") - changes.count("allowed") == (final["personal_keys"] == "none")


@pytest.mark.contract("Scopes and networks 21", "Scopes and networks 22")
def test_event_streams_follow_a_policy_when_it_is_set_and_when_it_is_enforced(api: Api, outsider: Api) -> None:
    join(api, outsider)
    shown = own_key(api)

    async def scenario() -> None:
        async with streams(listen(api.url, shown["key"])) as [stream]:
            await asyncio.to_thread(api.send, "before")
            await stream.until("message.sent", text="before")
            await asyncio.to_thread(put, api, require_networks=True, enforce_at=NOW)
            await stream.until("access.changed")
            await asyncio.to_thread(session.post, api.messages, json={"text": "not for this key"})
            await asyncio.to_thread(outsider.send, "for this key")
            await stream.until("message.sent", text="for this key")
            assert stream.texts() == ["before", "for this key"]

    session = sign_in(api)
    asyncio.run(scenario())
    enforced = parse_time(put(api, session, require_networks=False)["key_policy"]["enforce_at"] or after(0))
    assert enforced <= utc_now() + timedelta(seconds=1)
    enforced = parse_time(put(api, session, personal_keys="none")["key_policy"]["enforce_at"])
    read = asyncio.run(_access(api, shown["key"], utc_now(), enforced))
    assert [(each.expires_at, UUID(api.organization_id) in each.organizations) for each in read] == [
        (enforced, True),
        (None, False),
    ]
    assert all(UUID(outsider.organization_id) in each.organizations for each in read)


async def _access(api: Api, key: str, *times: datetime) -> list[Any]:
    db = await asyncpg.connect(api.settings.database_url)
    try:
        wanted = Subscription(hash_of(key), UUID(api.person_id))
        return [(await read_access(db, [wanted], at))[0] for at in times]
    finally:
        await db.close()


def _policy_records(api: Api) -> list[Any]:
    """Return the memberships with the time of the policy, and the entries of its changes in the audit log."""
    of_members = "select actor_id, key_policy_at from memberships where organization_id = $1 order by actor_id"
    log = api.person.get(f"{api.organization}/audit-log", params={"action": "key_policy.updated"}).json()["entries"]
    return [*api.sql(of_members, UUID(api.organization_id)), *log]


@pytest.mark.contract("Scopes and networks 19", "Scopes and networks 20")
@pytest.mark.parametrize("name", ["admin", "member"])
def test_only_admins_see_and_set_the_policy(api: Api, name: str) -> None:
    client = api.client(api.new_person(name)[1])
    status = 200 if name == "admin" else 403
    assert client.get(f"{api.organization}/key-policy").status_code == status
    assert client.put(f"{api.organization}/key-policy", json={"content": {}}).status_code == status
