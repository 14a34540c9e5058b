"""A webhook that exists."""

from tests.conftest import Api
from tests.contract.tour import subscription

Json = dict
ENDPOINT = "http://127.0.0.1:9/hook"


def content(api: Api, **fields: object) -> Json:
    made = {"name": "CI", "endpoint_url": ENDPOINT, "subscriptions": [subscription(api.room_id)]}
    return {"content": {**made, **fields}}


def create_webhook(api: Api, **fields: object) -> Json:
    answer = api.person.post(f"{api.organization}/webhooks", json=content(api, **fields))
    assert answer.status_code == 201, answer.text
    return answer.json()
