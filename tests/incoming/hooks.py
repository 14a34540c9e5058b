"""Incoming webhooks and their posts."""

from typing import Any

from tests.conftest import Api

Json = dict[str, Any]


def hooks_of(room_id: str) -> str:
    return f"/v2/rooms/{room_id}/incoming-webhooks"


def new_hook(api: Api, name: str = "Grafana", room_id: str | None = None) -> Json:
    made = api.person.post(hooks_of(room_id or api.room_id), json={"name": name})
    assert made.status_code == 201, made.text
    return made.json()


def messages(api: Api) -> list[Json]:
    return api.person.get(api.messages).json()["messages"]
