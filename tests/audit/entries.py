"""The audit log as tests read it, and the requests that write it."""

from typing import Any

import httpx

from tests.conftest import Api

Json = dict[str, Any]
# Messages record who sent, edited and deleted them and when. An audit entry would double every send.
EXAMPLES_OF_TEXT = {
    "send_message",
    "put_reaction",
    "remove_reaction",
    "put_read_marker",
    "put_thread_read_marker",
    "type_in_room",
    "create_attachment",
    "post_to_incoming_webhook",
}
# Their entries are in the log of the organization that added the account (tests/organizations/test_several_organizations.py).
ELSEWHERE = {"accept_pending_membership", "decline_pending_membership"}
READ_BY_POST = {
    "search_users",
    "search_groups",
    "search_directory",
    "preview_invitation",
    "preview_subscriptions",
    "preview_key_policy",
}  # a POST only because its input does not fit into a URL, or is a secret, which a URL would leak
# An upload changes nothing yet; creating its recording is logged.
ON_ITS_WAY = {"create_upload", "append_to_upload", "delete_upload", "create_import", "append_to_import"}
# The example is the policy that is there; its entry is in tests/keys/test_key_policy.py.
SAME_AS_BEFORE = {"put_key_policy"}
OF_THE_WORKER = {"import.completed", "import.failed"}


def entries(api: Api, client: httpx.Client | None = None, **query: str) -> list[Json]:
    answer = (client or api.person).get(f"{api.organization}/audit-log", params={"limit": "200", **query})
    assert answer.status_code == 200, answer.text
    return list(answer.json()["entries"])


def request_entries(api: Api) -> list[Json]:
    """Return the entries of requests, without those of the imports that the worker runs meanwhile."""
    return [entry for entry in entries(api) if entry["action"] not in OF_THE_WORKER]
