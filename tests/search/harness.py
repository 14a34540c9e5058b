"""Messages that have been indexed, and what is found of them."""

from typing import Any

import httpx

from tests.conftest import Api
from tests.wait_until import wait_until

BEHIND = """
select from search_heads s join room_heads h using (room_id) join rooms using (room_id) join spaces using (space_id)
where organization_id = $1 and h.last_message_id > s.indexed_id
"""


def wait_until_indexed(api: Api) -> None:
    """Until the server's worker has seen every message of the organization."""
    wait_until(lambda: not api.sql(BEHIND, api.organization_id), "all is indexed", 120)


def search(api: Api, q: str, client: httpx.Client | None = None, **query: Any) -> dict[str, Any]:
    """A page of results."""
    path = f"/v2/organizations/{api.organization_id}/search"
    answer = (client or api.person).get(path, params={"q": q, **query})
    assert answer.status_code == 200, answer.text
    page: dict[str, Any] = answer.json()
    return page


def found(api: Api, q: str, client: httpx.Client | None = None) -> list[str]:
    """The ids of what is found, best first."""
    return [result["message_id"] for result in search(api, q, client, limit=200)["results"]]


def texts(api: Api, q: str, client: httpx.Client | None = None) -> set[str]:
    """The excerpts of what is found; short messages are shown whole."""
    return {result["excerpt"]["text"] for result in search(api, q, client, limit=200)["results"]}


def send_all(api: Api, *messages: str) -> None:
    """Messages sent to the first room and indexed."""
    for message in messages:
        api.send(message)
    wait_until_indexed(api)
