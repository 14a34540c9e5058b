"""Webhooks are managed by admins and visible to readers; subscriptions require permission to manage their subject."""

import asyncio

import httpx
import pytest

from atrium.kit.clock import utc_now
from atrium.kit.settings import Settings
from tests.conftest import Api, in_process_client
from tests.contract.tour import assert_problem, subscription
from tests.webhooks.creating import ENDPOINT, Json, content, create_webhook
from tests.webhooks.harness import Harness, with_harness


def path(api: Api, made: Json) -> str:
    return f"{api.organization}/webhooks/{made['webhook']['id']}"


@pytest.mark.contract("Webhooks and subscriptions 1")
def test_a_webhook_is_created_listed_read_changed_and_deleted(api: Api) -> None:
    made = create_webhook(api, description="builds", headers={"X-Token": "opaque"})
    assert made["secret"].startswith("whsec_")
    webhook = made["webhook"]
    assert webhook["status"] == "WEBHOOK_STATUS_ACTIVE"
    assert webhook["organization_id"] == api.organization_id
    assert webhook["subscriptions"] == [{**subscription(api.room_id), "filter": None}]
    assert webhook["header_names"] == ["X-Token"]
    assert api.person.get(f"{api.organization}/webhooks").json() == {"webhooks": [webhook], "next_cursor": None}
    assert api.person.get(path(api, made)).json() == {"webhook": webhook}
    renamed = api.person.patch(path(api, made), json={"content": {"name": "CD"}})
    assert (renamed.status_code, renamed.json()) == (200, {"webhook": {**webhook, "name": "CD"}})
    off = api.person.patch(path(api, made), json={"content": {"status": "WEBHOOK_STATUS_INACTIVE"}})
    assert off.json()["webhook"]["status"] == "WEBHOOK_STATUS_INACTIVE"
    on = api.person.patch(path(api, made), json={"content": {"status": "WEBHOOK_STATUS_ACTIVE"}})
    assert on.json()["webhook"]["status"] == "WEBHOOK_STATUS_ACTIVE"
    assert api.person.delete(path(api, made)).status_code == 204
    assert_problem(api.person.get(path(api, made)), 404)
    assert api.sql("select from subscriptions where webhook_id = $1", webhook["id"]) == []


@pytest.mark.contract("Webhooks and subscriptions 1")
def test_secrets_and_header_values_are_in_no_answer_and_unreadable_in_the_database(api: Api) -> None:
    made = create_webhook(api, headers={"X-Token": "opaque-value"})
    rotated = api.person.post(f"{path(api, made)}/rotate-secret", json={})
    assert rotated.json()["secret"] != made["secret"]
    secrets = (made["secret"], rotated.json()["secret"], "opaque-value")
    answers = [api.person.get(path(api, made)), api.person.get(f"{api.organization}/webhooks")]
    assert not any(secret in answer.text for secret in secrets for answer in answers)
    [row] = api.sql("select * from webhooks where webhook_id = $1", made["webhook"]["id"])
    assert not any(secret.encode() in bytes(str(dict(row)), "utf-8") for secret in secrets)


@pytest.mark.contract("Authentication 6")
@pytest.mark.parametrize(
    ("role", "lists", "changes"),
    [("guest", 403, 403), ("member", 403, 403), ("reader", 200, 403), ("admin", 200, 201), ("super_admin", 200, 201)],
)
def test_readers_see_webhooks_and_admins_change_them(api: Api, role: str, lists: int, changes: int) -> None:
    made = create_webhook(api)
    client = api.client(api.new_person(role)[1])
    assert client.get(f"{api.organization}/webhooks").status_code == lists
    assert client.get(f"{path(api, made)}/logs").status_code == lists
    assert client.post(f"{api.organization}/webhooks", json=content(api)).status_code == changes
    expected = 403 if changes == 403 else None
    for method, what, body in (
        ("PATCH", "", {"content": {"name": "x"}}),
        ("POST", "/test", None),
        ("POST", "/rotate-secret", {}),
        ("POST", "/replay", {"since": "2026-01-01", "until": "2026-01-02"}),
        ("DELETE", "", None),
    ):
        answer = client.request(method, path(api, made) + what, json=body)
        assert answer.status_code == expected if expected else answer.is_success, (what, answer.text)


@pytest.mark.contract("Authentication 7")
def test_a_subscription_requires_space_admin_of_its_room_or_space(api: Api) -> None:
    hidden = api.new_space("private")
    bot = api.new_integration([{"space_id": api.space_id, "role": "member"}], role="admin")
    client = api.client(bot["key"])
    hooks = f"{api.organization}/webhooks"
    wanted = {"ROOM": (api.room_id, hidden), "SPACE": (api.space_id, hidden)}
    for kind, (reached, unreached) in wanted.items():
        assert_problem(client.post(hooks, json=content(api, subscriptions=[subscription(reached, kind)])), 403)
        assert_problem(client.post(hooks, json=content(api, subscriptions=[subscription(unreached, kind)])), 404)
    assert client.get(hooks).json()["webhooks"] == [], "a refused subscription leaves no webhook"
    grant = {"content": {"role": "admin"}}
    integration = bot["api_key"]["integration_id"]
    assert api.person.put(f"/v1/spaces/{api.space_id}/members/{integration}", json=grant).status_code == 200
    assert client.post(hooks, json=content(api)).status_code == 201


def test_existing_subscriptions_can_stay_and_only_new_ones_need_permission(api: Api) -> None:
    made = create_webhook(api)
    bot = api.client(api.new_integration(role="admin")["key"])
    existing = [subscription(api.room_id)]
    assert bot.patch(path(api, made), json={"content": {"subscriptions": existing}}).status_code == 200
    more = [*existing, subscription(api.space_id, "SPACE")]
    assert_problem(bot.patch(path(api, made), json={"content": {"subscriptions": more}}), 404)
    assert len(api.person.get(path(api, made)).json()["webhook"]["subscriptions"]) == 1


@pytest.mark.contract("Authentication 7")
def test_rooms_and_spaces_of_another_organization_are_not_found(api: Api, outsider: Api) -> None:
    for foreign in (subscription(outsider.room_id), subscription(outsider.space_id, "SPACE")):
        assert_problem(api.person.post(f"{api.organization}/webhooks", json=content(api, subscriptions=[foreign])), 404)
    invitation = {"content": {"email": "other@example.org", "role": "admin"}}
    token = outsider.person.post(f"{outsider.organization}/invitations", json=invitation).json()["token"]
    joined = api.person.post("/v1/invitations/accept", json={"content": {"token": token, "name": "Ada"}})
    assert joined.status_code == 201, joined.text
    for foreign in (subscription(outsider.room_id), subscription(outsider.space_id, "SPACE")):
        response = api.person.post(f"{api.organization}/webhooks", json=content(api, subscriptions=[foreign]))
        assert_problem(response, 404)  # although an admin of the other organization asks
    made = create_webhook(outsider)
    assert_problem(api.person.get(path(api, made)), 404)
    assert_problem(api.person.patch(path(api, made), json={"content": {"name": "mine"}}), 404)
    assert_problem(api.person.get(f"{path(api, made)}/logs"), 404)


@pytest.mark.contract("Webhook details 2")
@pytest.mark.parametrize(
    ("field", "value", "pointer"),
    [
        ("name", "", "/content/name"),
        ("subscriptions", [], "/content/subscriptions"),
        ("endpoint_url", "ftp://example.org", "/content/endpoint_url"),
        ("endpoint_url", "http://user:pw@127.0.0.1/", "/content/endpoint_url"),
        ("endpoint_url", "https://[]@/", "/content/endpoint_url"),
        ("endpoint_url", "http://10.1.2.3/", "/content/endpoint_url"),
        ("endpoint_url", "http://[::ffff:169.254.169.254]/", "/content/endpoint_url"),
        ("endpoint_url", "http://[64:ff9b::7f00:1]/", "/content/endpoint_url"),
        ("endpoint_url", "http://[2002:7f00:1::]/", "/content/endpoint_url"),
        ("endpoint_url", "http://2130706433/", "/content/endpoint_url"),
        ("endpoint_url", "http://169.254.169.254/latest", "/content/endpoint_url"),
        ("headers", {"Connection": "close"}, "/content/headers"),
        ("headers", {"Host": "x"}, "/content/headers"),
        ("headers", {"X-A": "a\r\nX-B: b"}, "/content/headers"),
        ("headers", {"X A": "a"}, "/content/headers"),
        ("headers", {"X-A": "1", "x-a": "2"}, "/content/headers"),
        ("colour", "red", "/content/colour"),
        ("headers", {f"X-{nr}": "" for nr in range(11)}, "/content/headers"),
        ("id", "x", "/content/id"),
        ("status", "WEBHOOK_STATUS_ACTIVE", "/content/status"),
        ("headers", {"X-A": "a" * 1001}, "/content/headers"),
    ],
)
def test_an_invalid_value_is_rejected_and_named(api: Api, field: str, value: object, pointer: str) -> None:
    answer = api.person.post(f"{api.organization}/webhooks", json=content(api, **{field: value}))
    assert assert_problem(answer, 400)["errors"][0]["pointer"] == pointer
    assert api.person.get(f"{api.organization}/webhooks").json()["webhooks"] == []


@pytest.mark.contract("Webhooks and subscriptions 1")
def test_a_duplicate_subscription_is_rejected(api: Api) -> None:
    one = subscription(api.room_id)
    for other in (one, {**one, "filter": {}}, {**one, "filter": None}, {**one, "filter": {"room_type": None}}):
        body = content(api, subscriptions=[one, other])
        answer = assert_problem(api.person.post(f"{api.organization}/webhooks", json=body), 400)
        assert answer["errors"][0]["pointer"] == "/content/subscriptions"


@pytest.mark.contract("Webhooks and subscriptions 1")
def test_a_url_scheme_is_case_insensitive(api: Api) -> None:
    made = create_webhook(api, endpoint_url=ENDPOINT.replace("http://", "HTTP://"))
    changed = api.person.patch(
        path(api, made), json={"content": {"endpoint_url": ENDPOINT.replace("http://", "hTTp://")}}
    )
    assert changed.status_code == 200, changed.text
    assert api.person.post(f"{path(api, made)}/test").status_code == 200


@pytest.mark.contract("Webhook details 18")
def test_an_endpoint_is_shown_as_it_was_entered_or_rejected(api: Api) -> None:
    written = ENDPOINT + "/../a%2Fb?x-signature=rX7A%2FXCC2w%3D&x[]=1"
    made = create_webhook(api, endpoint_url=written)
    assert made["webhook"]["endpoint_url"] == written
    for wrong in (ENDPOINT + "/%zz", ENDPOINT + "#part"):
        sent = content(api, endpoint_url=wrong)
        answer = assert_problem(api.person.post(f"{api.organization}/webhooks", json=sent), 400)
        assert answer["errors"][0]["pointer"] == "/content/endpoint_url"
        assert answer["errors"][0]["detail"].startswith("the URL ")


def test_an_endpoint_that_was_saved_before_may_be_repeated_in_a_change(api: Api) -> None:
    made, old = create_webhook(api), ENDPOINT + "/%zz#part"
    api.sql("update webhooks set endpoint_url = $2 where webhook_id = $1", made["webhook"]["id"], old)
    answer = api.person.patch(path(api, made), json={"content": {"name": "new", "endpoint_url": old}})
    assert answer.status_code == 200, answer.text
    assert answer.json()["webhook"]["endpoint_url"] == old


@pytest.mark.contract("Webhook details 19")
def test_a_forbidden_endpoint_is_rejected_in_a_change(api: Api) -> None:
    made = create_webhook(api)
    answer = api.person.patch(path(api, made), json={"content": {"endpoint_url": "http://192.168.0.1/"}})
    assert assert_problem(answer, 400)["code"] == "forbidden_endpoint"
    assert api.person.get(path(api, made)).json()["webhook"]["endpoint_url"] == ENDPOINT


async def answers_behind_a_proxy(api: Api, settings: Settings, made: Json) -> tuple[httpx.Response, httpx.Response]:
    """Return the responses of a server behind a proxy to a loopback endpoint, and to a test of `made`."""
    key = {"authorization": f"Bearer {api.personal_key}"}
    async with in_process_client(settings, utc_now) as client:
        sent = content(api, headers={"Authorization": "Basic cm9vdDpyb290"})
        saved = await client.post(f"{api.organization}/webhooks", json=sent, headers=key)
        return saved, await client.post(f"{path(api, made)}/test", headers=key)


@pytest.mark.contract("Webhook details 16")
@pytest.mark.parametrize("change", [{"public_url": "https://chat.test"}, {"trusted_proxies": ("127.0.0.1",)}])
def test_behind_a_proxy_webhooks_cannot_use_loopback(api: Api, change: Json) -> None:
    made = create_webhook(api)
    saved, tested = asyncio.run(answers_behind_a_proxy(api, api.settings.with_changes(port=8700, **change), made))
    assert assert_problem(saved, 400)["code"] == "forbidden_endpoint"
    [attempt] = tested.json()["delivery"]["attempts"]
    assert "is a loopback address" in attempt["error"] and attempt["response_code"] is None


@pytest.mark.contract("Webhook details 15")
@pytest.mark.parametrize("status", ["WEBHOOK_STATUS_INACTIVE", "WEBHOOK_STATUS_PAUSED"])
def test_nothing_is_resent_or_replayed_while_a_webhook_is_inactive(api: Api, status: str) -> None:
    made = create_webhook(api)
    api.send()
    api.wait_for_queue()
    [entry] = api.person.get(f"{path(api, made)}/logs").json()["logs"]
    api.sql(
        "update webhooks set status = $2::text::webhook_status where webhook_id = $1", made["webhook"]["id"], status
    )
    resend = api.person.post(f"{path(api, made)}/deliveries/{entry['delivery_id']}/resend")
    assert assert_problem(resend, 409)["code"] == "webhook_not_active"
    replay = api.person.post(f"{path(api, made)}/replay", json={"since": "2026-01-01", "until": "2027-01-01"})
    assert_problem(replay, 409)
    wrong = {"since": "yesterday", "until": "2027-01-01"}
    api.person.patch(path(api, made), json={"content": {"status": "WEBHOOK_STATUS_ACTIVE"}})
    assert (
        assert_problem(api.person.post(f"{path(api, made)}/replay", json=wrong), 400)["errors"][0]["pointer"]
        == "/since"
    )
    wrong = {"since": "2026-01-01", "until": "2027-01-01", "status": "DELIVERY_STATUS_SUCCEEDED"}
    assert_problem(api.person.post(f"{path(api, made)}/replay", json=wrong), 400)


def test_a_person_sees_log_entries_only_of_reachable_rooms(api: Api) -> None:
    space = api.new_space("private")
    room = api.new_room(space)["room_id"]
    made = create_webhook(api, subscriptions=[subscription(room)])
    api.person.post(f"/v2/rooms/{room}/messages", json={"text": "a secret"})
    api.wait_for_queue()
    person_id, key = api.new_person("reader")
    [entry] = api.client(key).get(f"{path(api, made)}/logs").json()["logs"]
    assert (entry["subject"]["id"], entry["request_body"]) == (None, "")
    api.person.put(f"/v1/spaces/{space}/members/{person_id}", json={"content": {"role": "reader"}})
    [entry] = api.client(key).get(f"{path(api, made)}/logs").json()["logs"]
    assert (entry["subject"]["id"], room in entry["request_body"]) == (room, True)


@pytest.mark.contract("Events and deliveries 16", "Webhook details 11")
def test_the_log_does_not_name_unreachable_rooms(settings: Settings) -> None:
    """An endpoint's response may repeat its request, so that is hidden too."""

    async def act(harness: Harness) -> None:
        api, space = harness.made["organization_id"], harness.made["space_id"]
        webhook = await harness.subscribe()
        sent = await harness.send("a secret")
        await harness.worker.deliver_due()
        content = {"name": "Bot", "organization_role": "admin", "spaces": []}
        made = (await harness.client.post(f"/v1/organizations/{api}/api-keys", json={"content": content})).json()
        grant, key = f"/v1/spaces/{space}/members/{made['api_key']['integration_id']}", {"authorization": made["key"]}
        logs = f"{harness.hooks}/{webhook['webhook']['id']}/logs"
        key["authorization"] = f"Bearer {made['key']}"
        answer = await harness.client.get(logs, headers=key)
        [entry] = answer.json()["logs"]
        assert not any(
            each in answer.text for each in (harness.made["room_id"], sent["message_id"], "a secret", "taken")
        )
        assert (entry["subject"], entry["status"]) == ({"type": "room", "id": None}, "DELIVERY_STATUS_SUCCEEDED")
        assert [each["response_code"] for each in entry["attempts"]] == [200]
        resent = await harness.client.post(f"{logs[:-4]}deliveries/{entry['delivery_id']}/resend", headers=key)
        assert resent.status_code == 403  # the endpoint could be its own: it would read there what it may not
        await harness.client.put(grant, json={"content": {"role": "reader"}})
        [entry] = (await harness.client.get(logs, headers=key)).json()["logs"]
        assert entry["subject"]["id"] == harness.made["room_id"]
        assert sent["message_id"] in entry["request_body"]

    with_harness(settings, act)
