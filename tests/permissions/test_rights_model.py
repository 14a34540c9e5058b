"""After any changes to people, roles, invitations, keys, groups and grants, in any order, no account has a right that no
holder of it granted.

Every holder of a key tries everything. After each step, each account's rights are compared with those before: the caller
must have been allowed to grant or revoke every difference. A caller who is shown a key or link of another account must
have had all of its rights already.

Another organization adds, invites and changes the same people (`elsewhere.py`).

`RIGHTS_HISTORIES=500 .venv/bin/pytest -n 0 --timeout 0 tests/permissions/test_rights_model.py` tries five hundred
random histories instead of a few fixed ones.
"""

import os
import re
from collections.abc import Iterator
from typing import Any

import httpx
import psycopg
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule, run_state_machine_as_test

from atrium.permissions import OrganizationRole, SpaceRole
from tests.conftest import RunningServer, new_organization
from tests.permissions.cast import Accounts, Cast, Invited, Secret, assemble_cast, fresh_address
from tests.permissions.elsewhere import Elsewhere
from tests.permissions.rights import (
    ADMIN,
    DIRECTORY,
    NO_RIGHTS,
    Rights,
    in_space,
    unauthorized_gains,
    unauthorized_losses,
)

ANY = st.integers(0, 10**6)
ROLES, SPACE_ROLES = st.sampled_from(list(OrganizationRole)), st.sampled_from(list(SpaceRole))
HISTORIES = int(os.environ.get("RIGHTS_HISTORIES") or 0)


class Rightful(Elsewhere):
    """An organization, and another one outside."""

    database: Any
    server: RunningServer

    @initialize()
    def assemble(self) -> None:
        self.outside = new_organization(self.server.settings, self.server.url, "Outside")
        self.cast: Cast = assemble_cast(new_organization(self.server.settings, self.server.url), self.database)
        self.before: Accounts = self.cast.accounts()
        self.prepare_outside()
        self.join_outside()

    def teardown(self) -> None:
        if hasattr(self, "cast"):
            self.cast.http.close()
            self.cast.api.close()
            self.outside.close()

    # Actions of callers.

    @rule(by=ANY, role=ROLES, whom=ANY, space=st.none() | ANY, space_role=SPACE_ROLES)
    def invite(self, by: int, role: OrganizationRole, whom: int, space: int | None, space_role: SpaceRole) -> None:
        email = _one([*self.cast.addresses, fresh_address()], whom)
        spaces = self.grants(space, space_role)
        secret, body = self.caller(by), {"content": {"email": email, "role": role, "spaces": spaces}}
        answer = self.request(secret, "POST", f"{self.cast.api.organization}/invitations", body)
        if answer.is_success:
            self.cast.invited.append(
                Invited(answer.json()["token"], secret, self.of(secret), frozenset(self.cast.spaces))
            )

    @rule(which=ANY)
    def accept(self, which: int) -> None:
        """Accept an invitation as anyone; its creator has the token. It gives what they could give then, and still can.

        In spaces created since, the new account has what its role inherits there: the role is what was given.
        """
        if not self.cast.invited:
            return
        token, inviter, giver, spaces = _one(self.cast.invited, which)
        giver &= self.of(inviter)
        body = {"content": {"token": token, "name": "Puppet"}}
        answer = self.cast.ask(None, "POST", "/v1/invitations/accept", body)
        self.settle(giver, answer)
        if answer.is_success:
            secret = Secret(answer.json()["key"], answer.json()["person_id"])
            inherited = self.cast.inherited_rights(self.before[secret.account_id])
            self.check_viewer(
                giver | {right for right in inherited if right[0] == "space" and right[1] not in spaces}, secret
            )

    @rule(by=ANY, whom=ANY, role=st.none() | ROLES, active=st.none() | st.booleans())
    def change_member(self, by: int, whom: int, role: OrganizationRole | None, active: bool | None) -> None:
        content = {name: value for name, value in (("role", role), ("active", active)) if value is not None}
        place = f"{self.cast.api.organization}/members/{_one(self.cast.people, whom)}"
        self.request(self.caller(by), "PATCH", place, {"content": content})

    @rule(by=ANY, whom=ANY)
    def remove_member(self, by: int, whom: int) -> None:
        place = f"{self.cast.api.organization}/members/{_one(self.cast.people, whom)}"
        self.request(self.caller(by), "DELETE", place)

    @rule(by=ANY, role=ROLES, space=st.none() | ANY, space_role=SPACE_ROLES)
    def make_integration(self, by: int, role: OrganizationRole, space: int | None, space_role: SpaceRole) -> None:
        content = {"name": "Bot", "organization_role": role, "spaces": self.grants(space, space_role)}
        secret = self.caller(by)
        answer = self.request(secret, "POST", f"{self.cast.api.organization}/api-keys", {"content": content})
        if answer.is_success:
            record = answer.json()["api_key"]
            self.cast.integrations.append((record["api_key_id"], record["integration_id"]))
            self.check_viewer(self.of(secret), Secret(answer.json()["key"], record["integration_id"]))

    @rule(by=ANY, whom=ANY, role=st.none() | ROLES, space=st.none() | ANY, space_role=SPACE_ROLES)
    def change_integration(
        self, by: int, whom: int, role: OrganizationRole | None, space: int | None, space_role: SpaceRole
    ) -> None:
        content = {"organization_role": role} if role else {"spaces": self.grants(space, space_role)}
        self.request(self.caller(by), "PATCH", self.record(whom), {"content": content})

    @rule(by=ANY, whom=ANY)
    def rotate_integration(self, by: int, whom: int) -> None:
        secret = self.caller(by)
        answer = self.request(secret, "POST", f"{self.record(whom)}/rotate")
        if answer.is_success:
            self.check_viewer(self.of(secret), Secret(answer.json()["key"], answer.json()["api_key"]["integration_id"]))

    @rule(by=ANY, visibility=st.sampled_from(["open", "private"]))
    def make_space(self, by: int, visibility: str) -> None:
        content = {"name": "Space", "visibility": visibility}
        secret, path = self.caller(by), f"{self.cast.api.organization}/spaces"
        answer = self.cast.ask(secret, "POST", path, {"content": content})
        if answer.is_success:
            assert ADMIN in self.of(secret)
            self.cast.spaces[answer.json()["space"]["space_id"]] = visibility
            self.before = self.cast.accounts()

    @rule(by=ANY, space=ANY, whom=ANY, role=st.none() | SPACE_ROLES)
    def grant(self, by: int, space: int, whom: int, role: SpaceRole | None) -> None:
        """Grant a role in a space to anyone, including oneself, or revoke it."""
        place = f"/v1/spaces/{_one(list(self.cast.spaces), space)}/members/{_one(sorted(self.before), whom)}"
        method, body = ("PUT", {"content": {"role": role}}) if role else ("DELETE", None)
        self.request(self.caller(by), method, place, body)

    @rule(by=ANY, whom=ANY)
    def provision(self, by: int, whom: int) -> None:
        """The directory provisions an account; holders of its keys elsewhere gain nothing."""
        secret, email = self.caller(by), _one([*self.cast.addresses, fresh_address()], whom)
        answer = self.request(secret, "POST", "/scim/v2/Users", {"userName": email, "active": True})
        if answer.is_success:
            self.cast.people.append(answer.json()["id"])
            self.cast.addresses.append(email)

    @rule(by=ANY, whom=ANY, active=st.none() | st.booleans())
    def change_user(self, by: int, whom: int, active: bool | None) -> None:
        """The directory deactivates, reactivates or deletes an account."""
        place, operation = f"/scim/v2/Users/{_one(self.cast.people, whom)}", {"op": "replace", "path": "active"}
        body = None if active is None else {"Operations": [{**operation, "value": active}]}
        self.request(self.caller(by), "PATCH" if body else "DELETE", place, body)

    @rule(by=ANY, whom=ANY)
    def make_group(self, by: int, whom: int) -> None:
        member, secret = _one(self.cast.people, whom), self.caller(by)
        body = {"displayName": "Crew", "members": [{"value": member}]}
        answer = self.cast.ask(secret, "POST", "/scim/v2/Groups", body)
        if answer.is_success:
            assert DIRECTORY in self.of(secret)
            self.cast.groups[answer.json()["id"]] = {member}
        self.settle(self.of(secret), answer)

    @rule(by=ANY, group=ANY, whom=ANY, adding=st.booleans())
    def change_group(self, by: int, group: int, whom: int, adding: bool) -> None:
        if not self.cast.groups:
            return
        group_id, member = _one(list(self.cast.groups), group), _one(self.cast.people, whom)
        operation = {"op": "add" if adding else "remove", "path": "members", "value": [{"value": member}]}
        secret, roles = self.caller(by), self.cast.by_groups(member)
        answer = self.cast.ask(secret, "PATCH", f"/scim/v2/Groups/{group_id}", {"Operations": [operation]})
        if answer.is_success:
            assert DIRECTORY in self.of(secret)
            (set.add if adding else set.discard)(self.cast.groups[group_id], member)
        self.settle(self.of(secret), answer, roles)

    @rule(by=ANY, space=ANY, group=ANY, role=SPACE_ROLES)
    def give_group(self, by: int, space: int, group: int, role: SpaceRole) -> None:
        if not self.cast.groups:
            return
        space_id, group_id = _one(list(self.cast.spaces), space), _one(list(self.cast.groups), group)
        secret, place = self.caller(by), f"/v1/spaces/{space_id}/groups/{group_id}"
        answer = self.cast.ask(secret, "PUT", place, {"content": {"role": role}})
        if answer.is_success:
            assert in_space(space_id, SpaceRole.ADMIN) in self.of(secret)
            self.cast.given[space_id, group_id] = role
        self.settle(self.of(secret), answer, frozenset(in_space(space_id, each) for each in SpaceRole))

    @rule(by=ANY, whom=ANY)
    def read_a_link(self, by: int, whom: int) -> None:
        """Anyone requests a sign-in link; a caller who is shown its text signs in as its recipient."""
        email, secret = _one(self.cast.addresses, whom), self.caller(by)
        self.cast.ask(None, "POST", "/v1/sign-in-links", {"content": {"email": email}})
        mails = self.cast.ask(secret, "GET", f"{self.cast.api.organization}/mails")
        found = [mail["mail_id"] for mail in mails.json()["mails"] if mail["to"] == email] if mails.is_success else []
        for mail_id in found[:1]:
            text = self.cast.ask(secret, "GET", f"{self.cast.api.organization}/mails/{mail_id}")
            for token in re.findall(r"#token=([\w-]+)", text.json().get("text") or ""):
                self.sign_in(self.of(secret), token)

    def sign_in(self, reader: Rights, token: str) -> None:
        headers = {"sec-fetch-site": "same-origin"}
        url, body = f"{self.cast.api.url}/v1/sessions/link", {"content": {"token": token}}
        answer = self.cast.http.post(url, json=body, headers=headers)
        self.cast.http.cookies.clear()
        if answer.is_success:
            self.check_viewer(reader, Secret("", answer.json()["profile"]["person_id"]))

    @rule()
    def prepare_another_outside(self) -> None:
        self.prepare_outside()

    def prepare_outside(self) -> None:
        """An admin elsewhere creates an account for an address that is not theirs, and keeps its key."""
        email = fresh_address()
        person_id, key = self.outside.new_person(email=email)
        self.cast.outsiders.append(Secret(key, person_id))
        self.cast.addresses.append(email)

    # Invariants.

    def caller(self, by: int) -> Secret:
        """Choose a holder of a key; every other time one with something to give."""
        able = [secret for secret in self.cast.secrets if ADMIN in self.of(secret)]
        return _one(able if by % 2 and able else self.cast.secrets, by // 2)

    def of(self, secret: Secret) -> Rights:
        """Return the rights that a request is made with."""
        account = self.before.get(secret.account_id)
        return account.rights if account else NO_RIGHTS

    def request(self, secret: Secret, method: str, path: str, body: Any = None) -> httpx.Response:
        """Send a request; return the response."""
        answer = self.cast.ask(secret, method, path, body)
        self.settle(self.of(secret), answer)
        return answer

    def settle(self, caller: Rights, answer: httpx.Response, by_groups: Rights = NO_RIGHTS) -> None:
        """Check that the caller could grant or revoke every change, then accept the new state."""
        before, self.before = self.before, self.cast.accounts()
        what = f"{answer.request.method} {answer.request.url.path} {answer.request.content!r}: {answer.status_code}"
        for account_id, account in self.before.items():
            explained = self.cast.indirect_rights(account_id, account)
            gained = unauthorized_gains(before.get(account_id), account, caller, explained)
            assert not gained, f"{account_id} gained {sorted(gained)} by {what}"
        for account_id, account in before.items():
            lost = unauthorized_losses(account, self.before.get(account_id), caller, by_groups)
            assert not lost, f"{account_id} lost {sorted(lost)} by {what}"
        self.nobody_from_outside()

    def check_viewer(self, viewer: Rights, secret: Secret) -> None:
        """Check that a caller who is shown a key of an account had its rights already."""
        more = self.of(secret) - viewer
        assert not more, f"a key of {secret.account_id} has {sorted(more)} beyond what its viewer may do"
        if secret.key:
            self.cast.secrets.append(secret)

    def nobody_from_outside(self) -> None:
        """Check that a key created elsewhere for an unproven address has no access here."""
        for secret in self.cast.outsiders:
            if self.of(secret):
                answer = self.cast.ask(secret, "GET", self.cast.api.organization)
                assert answer.status_code != 200, f"a key from outside acts as {self.before[secret.account_id]}"

    def grants(self, space: int | None, role: SpaceRole) -> list[dict[str, str]]:
        return [] if space is None else [{"space_id": _one(list(self.cast.spaces), space), "role": role}]

    def record(self, whom: int) -> str:
        return f"{self.cast.api.organization}/api-keys/{_one(self.cast.integrations, whom)[0]}"


def _one(choices: Any, index: int) -> Any:
    return choices[index % len(choices)]


@pytest.fixture
def machine(server: RunningServer) -> Iterator[type[Rightful]]:
    """Run the state machine with a server."""
    with psycopg.connect(server.settings.database_url or "", autocommit=True) as database:
        yield type("Tried", (Rightful,), {"database": database, "server": server})


@pytest.mark.contract("Roles and keys 3", "Signing in 20")
def test_no_caller_gains_a_right_that_no_holder_of_it_granted(machine: type[Rightful]) -> None:
    bounds = settings(
        max_examples=HISTORIES or 12,
        stateful_step_count=40,
        derandomize=not HISTORIES,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    run_state_machine_as_test(machine, settings=bounds)
