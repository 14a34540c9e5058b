"""Another admin of the organization."""

from tests.webhooks.harness import Harness


async def add_admin(harness: Harness, role: str, address: str) -> None:
    path = f"/v1/organizations/{harness.made['organization_id']}/invitations"
    invited = await harness.client.post(path, json={"content": {"email": address, "role": role}})
    body = {"content": {"token": invited.json()["token"], "name": address}}
    accept = harness.client.build_request("POST", "/v1/invitations/accept", json=body)
    del accept.headers["authorization"]
    assert (await harness.client.send(accept)).status_code == 201
