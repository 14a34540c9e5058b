"""Webhooks of a server that is killed."""

from collections.abc import Iterator
from contextlib import contextmanager

from atrium.kit.settings import Settings
from tests.conftest import (
    Api,
    free_port,
    fresh_database,
    scratch_folder,
)
from tests.faults.receivers import Receiver


def subscribe(api: Api, receiver: Receiver) -> str:
    """Create a webhook for messages of the first space; return its id."""
    wanted = {
        "subject_type": "WEBHOOK_SUBJECT_TYPE_SPACE",
        "subject_id": api.space_id,
        "subscription_type": "WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_SENT",
    }
    content = {"name": receiver.name, "endpoint_url": receiver.url, "subscriptions": [wanted]}
    made = api.person.post(f"{api.organization}/webhooks", json={"content": content})
    assert made.status_code == 201, made.text
    webhook_id: str = made.json()["webhook"]["id"]
    return webhook_id


@contextmanager
def a_place(settings: Settings) -> Iterator[Settings]:
    """Return settings of a server with its own data folder and database."""
    with fresh_database(settings) as own, scratch_folder() as folder:
        yield own.with_changes(data_dir=folder, port=free_port(), transcriber=None)
