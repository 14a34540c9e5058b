"""Webhooks with subscriptions, and the bodies that they receive."""

import json
from typing import Any

import httpx
from jsonschema import Draft202012Validator

from tests.conftest import Api
from tests.contract.tour import CLOSED


def catalogue(api: Api) -> dict[str, dict[str, Any]]:
    listed = api.client(None).get("/v1/event-types").json()["event_types"]
    return {each["event_type"]: each for each in listed}


def subscribe(client: httpx.Client, api: Api, *subscriptions: dict[str, Any]) -> httpx.Response:
    hook = {"name": "hook", "endpoint_url": CLOSED, "subscriptions": list(subscriptions)}
    return client.post(f"{api.organization}/webhooks", json={"content": hook})


def webhook(api: Api, *subscriptions: dict[str, Any]) -> str:
    made = subscribe(api.person, api, *subscriptions)
    assert made.status_code == 201, made.text
    return str(made.json()["webhook"]["id"])


def bodies(api: Api, webhook_id: str) -> list[dict[str, Any]]:
    """Return the bodies for the webhook of all events up to now, oldest first."""
    api.wait_for_queue()
    found: list[dict[str, Any]] = []
    query: dict[str, Any] = {"limit": 200}
    while True:
        page = api.person.get(f"{api.organization}/webhooks/{webhook_id}/logs", params=query).json()
        found += page["logs"]
        if page["next_cursor"] is None:
            return [json.loads(each["request_body"]) for each in reversed(found)]
        query["cursor"] = page["next_cursor"]


def faults(known: dict[str, dict[str, Any]], body: dict[str, Any]) -> list[str]:
    """Return where a body does not fit the schema of its event."""
    schema = known[body["event_type"]]["schema"]
    validator = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
    return [error.json_path for error in validator.iter_errors(body)]
