"""The people, integrations and keys of the model, and their state on the server."""

import os
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import httpx

from atrium.permissions import OrganizationRole, SpaceRole
from tests.conftest import TLS, Api
from tests.permissions.rights import NO_RIGHTS, Account, Rights, in_space

STANDING = """
select a.actor_id::text, a.kind = 'person', m.role::text, m.deactivated_at is null,
       (select coalesce(json_object_agg(s.space_id, held.role), '{}')
        from spaces s join lateral role_in(a.actor_id, a.kind, s.space_id) held on true
        where s.organization_id = m.organization_id)
from memberships m join actors a using (actor_id) where m.organization_id = %s
"""
Accounts = dict[str, Account]


class Secret(NamedTuple):
    """A key and its account."""

    key: str
    account_id: str


class Invited(NamedTuple):
    """An invitation's token and its inviter, with the inviter's rights and the spaces at the time of its creation."""

    token: str
    inviter: Secret
    giver: Rights
    spaces: frozenset[str]


@dataclass
class Cast:
    """All accounts, with every secret that was ever returned."""

    api: Api
    database: Any
    http: httpx.Client
    secrets: list[Secret] = field(default_factory=list)
    outsiders: list[Secret] = field(default_factory=list)  # keys that people in another organization have
    integrations: list[tuple[str, str]] = field(default_factory=list)  # the key's metadata, the account
    people: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)
    invited: list[Invited] = field(default_factory=list)
    spaces: dict[str, str] = field(default_factory=dict)  # by their visibility
    groups: dict[str, set[str]] = field(default_factory=dict)  # by their members
    given: dict[tuple[str, str], str] = field(default_factory=dict)  # by space and group: the role

    def ask(self, secret: Secret | None, method: str, path: str, body: Any = None) -> httpx.Response:
        """Send a request with the key or without one; assert that it is no server error."""
        headers = {"authorization": f"Bearer {secret.key}"} if secret else {}
        answer = self.http.request(method, self.api.url + path, json=body, headers=headers)
        assert answer.status_code < 500, answer.text
        return answer

    def accounts(self) -> Accounts:
        """Return every account of the organization, as the database has it."""
        rows = self.database.execute(STANDING, [self.api.organization_id]).fetchall()
        return {
            actor_id: Account(is_person, OrganizationRole(role), active, {k: SpaceRole(v) for k, v in spaces.items()})
            for actor_id, is_person, role, active, spaces in rows
        }

    def by_groups(self, account_id: str) -> Rights:
        """Return the rights of an account through groups."""
        mine = {group for group, members in self.groups.items() if account_id in members}
        return frozenset(
            in_space(space_id, each)
            for (space_id, group), role in self.given.items()
            if group in mine
            for each in SpaceRole
            if SpaceRole(role).holds(each)
        )

    def inherited_rights(self, account: Account) -> Rights:
        """Return the roles in spaces that an account has through its organization role."""
        return account.inherited_rights([each for each, how in self.spaces.items() if how == "open"])

    def indirect_rights(self, account_id: str, account: Account) -> Rights:
        """Return the roles in spaces that nobody granted the account directly."""
        return self.inherited_rights(account) | (self.by_groups(account_id) if account.is_person else NO_RIGHTS)


def fresh_address() -> str:
    return f"p{os.urandom(6).hex()}@example.org"


def assemble_cast(api: Api, database: Any) -> Cast:
    """Create people and integrations of several roles, and provisioned accounts with roles that never signed in."""
    cast = Cast(api, database, httpx.Client(verify=TLS, timeout=60))
    founder = Secret(api.personal_key, api.person_id)
    cast.secrets.append(founder)
    cast.spaces = {api.space_id: "open", api.new_space("private"): "private"}
    for role in (OrganizationRole.ADMIN, OrganizationRole.READER, OrganizationRole.GUEST):
        person_id, key = api.new_person(role)
        cast.secrets.append(Secret(key, person_id))
        cast.people.append(person_id)
    # Half of them have a verified address: they can accept other organizations with a key.
    database.execute("update people set mailbox_proven_at = now() where person_id::text = any(%s)", [cast.people[::2]])
    directory = Secret(*_integration(cast, "admin", []))
    cast.secrets.append(directory)
    _integration(cast, "member", [{"space_id": each, "role": "admin"} for each in cast.spaces])
    for role in (OrganizationRole.SUPER_ADMIN, OrganizationRole.READER):
        address = fresh_address()
        made = cast.ask(directory, "POST", "/scim/v2/Users", {"userName": address}).json()["id"]
        place = f"{api.organization}/members/{made}"
        assert cast.ask(founder, "PATCH", place, {"content": {"role": role}}).is_success
        cast.people.append(made)
        cast.addresses.append(address)
    return cast


def _integration(cast: Cast, role: str, spaces: list[dict[str, str]]) -> tuple[str, str]:
    made = cast.api.new_integration(spaces, role)
    record = made["api_key"]
    cast.integrations.append((record["api_key_id"], record["integration_id"]))
    return made["key"], record["integration_id"]
