"""Indexed messages and their search results."""

from typing import Any

import httpx

from tests.conftest import Api
from tests.wait_until import wait_until

BEHIND = """
select from search_heads s join room_heads h using (room_id) join rooms using (room_id) join spaces using (space_id)
where organization_id = $1 and h.last_message_id > s.indexed_id
"""


def wait_until_indexed(api: Api) -> None:
    """Wait until the server's worker has indexed every message of the organization."""
    wait_until(lambda: not api.sql(BEHIND, api.organization_id), "all is indexed", 120)


def search(api: Api, q: str, client: httpx.Client | None = None, **query: Any) -> dict[str, Any]:
    """Return a page of results."""
    path = f"/v2/organizations/{api.organization_id}/search"
    answer = (client or api.person).get(path, params={"q": q, **query})
    assert answer.status_code == 200, answer.text
    page: dict[str, Any] = answer.json()
    return page


def find(api: Api, q: str, client: httpx.Client | None = None) -> list[str]:
    """Return the ids of the results, best first."""
    return [result["message_id"] for result in search(api, q, client, limit=200)["results"]]


def texts(api: Api, q: str, client: httpx.Client | None = None) -> set[str]:
    """Return the excerpts of the results; short messages are complete."""
    return {result["excerpt"]["text"] for result in search(api, q, client, limit=200)["results"]}


def send_all(api: Api, *messages: str) -> None:
    """Send messages to the first room and wait until they are indexed."""
    for message in messages:
        api.send(message)
    wait_until_indexed(api)
