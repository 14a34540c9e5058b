"""An organization with content on each page of its administration."""

from tests.conftest import Api
from tests.contract.tour import CLOSED, subscription

PAGES = ("", "/people", "/spaces", "/integrations", "/directory", "/imports", "/audit", "/mail", "/settings")
INTEGRATIONS = (
    ("Deploy bot", "Tells what was deployed, and where", "member"),
    ("Directory", "Provisions people and groups", "admin"),
    ("Archive", "Copies every room to the archive once a night", "reader"),
)
PEOPLE = (("Mary Somerville", "admin"), ("Charles Babbage", "reader"), ("Augustus De Morgan", "guest"))


def populate_administration(api: Api) -> None:
    """Create people, invitations, spaces, integrations, a directory, a failing webhook and mail over HTTP."""
    for name, role in PEOPLE:
        person_id, _ = api.new_person(role, email=f"{name.split()[0].lower()}.{api.organization_id[-8:]}@example.org")
        api.sql("update actors set name = $2 where actor_id = $1::text::uuid", person_id, name)
    api.person.patch(f"{api.organization}/members/{person_id}", json={"content": {"active": False}})
    invited = {"email": f"grace.{api.organization_id[-8:]}@example.org", "role": "member"}
    api.person.post(f"{api.organization}/invitations", json={"content": invited})
    content = {"name": "Observatory", "description": "Orbits and their corrections", "visibility": "private"}
    private = api.person.post(f"{api.organization}/spaces", json={"content": content}).json()["space"]["space_id"]
    for name, description, role in INTEGRATIONS:
        spaces = [{"space_id": api.space_id, "role": "member"}, {"space_id": private, "role": "reader"}]
        content = {"name": name, "description": description, "organization_role": role, "spaces": spaces}
        made = api.person.post(f"{api.organization}/api-keys", json={"content": content}).json()
        api.client(made["key"]).get(api.messages)
    provision(api, private)
    hook = {"name": "CI", "endpoint_url": CLOSED, "subscriptions": [subscription(api.room_id)]}
    api.person.post(f"{api.organization}/webhooks", json={"content": hook})
    for number in range(3):
        api.send(f"The mill turned {number + 1} times.")


def provision(api: Api, space_id: str) -> None:
    """Create a user and a group with a role, as a directory does."""
    user = {"userName": f"caroline.{api.organization_id[-8:]}@example.org", "displayName": "Caroline Herschel"}
    member = api.integration.post("/scim/v2/Users", json=user).json()["id"]
    for name in ("Astronomers", "Engineers"):
        body = {"displayName": name, "members": [{"value": member}]}
        group = api.integration.post("/scim/v2/Groups", json=body).json()["id"]
    api.person.put(f"/v1/spaces/{space_id}/groups/{group}", json={"content": {"role": "member"}})
