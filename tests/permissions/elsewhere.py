"""Another organization in the model of rights: its admins and its directory, with people of both.

Accounts that belong to the organization of the model keep their rights in it, their name and address,
their password, sessions and keys. Of people who have accepted the other organization, keys may be barred in that one.
"""

from typing import Any

import httpx
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from tests.conftest import Api
from tests.permissions.cast import Cast, Secret
from tests.permissions.rights import NO_RIGHTS, Rights

ANY = st.integers(0, 10**6)
# What the accounts of an organization have everywhere, without what is barred in the other organization.
POSSESSIONS = """
select a.actor_id::text, a.name, p.email, p.mailbox_proven_at, w.hash,
       (select array_agg((k.api_key_id, k.revoked_at, k.expires_at,
                          coalesce(array_remove(who.barred, %(other)s::uuid), '{}'))
                         order by k.api_key_id)::text
        from api_keys k left join lateral caller_of(k.key_hash, now(), '', null) who on true
        where k.actor_id = a.actor_id)
from memberships m join actors a using (actor_id) left join people p on p.person_id = a.actor_id
left join passwords w using (person_id)
where m.organization_id = %(here)s and m.active_when_proven is null
"""
ACCEPTED = "select actor_id::text from memberships where organization_id = %s and active_when_proven is null"
# People who have not accepted the other organization, with a key that is barred in it.
BARRED = """
select k.actor_id::text from api_keys k, caller_of(k.key_hash, now(), '', null) who
where %(other)s = any(who.barred) and k.actor_id not in (
    select actor_id from memberships where organization_id = %(other)s and active_when_proven is null)
"""


class Elsewhere(RuleBasedStateMachine):
    """The rules of the other organization, `outside`."""

    outside: Api
    cast: Cast

    def settle(self, caller: Rights, answer: httpx.Response, by_groups: Rights = NO_RIGHTS) -> None:
        """Check that the caller could grant or revoke every change, then accept the new state."""
        raise NotImplementedError

    def join_outside(self) -> None:
        """Let someone belong to both organizations."""
        self.outside_provisions(whom=0, active=True)
        [secret] = [each for each in self.cast.secrets if each.account_id == self.cast.people[0]]
        place = f"/v1/me/pending-memberships/{self.outside.organization_id}/accept"
        assert self.act(secret.key, "POST", place).is_success

    @rule(whom=ANY, active=st.booleans())
    def outside_provisions(self, whom: int, active: bool) -> None:
        user = {"userName": self.address(whom), "displayName": "Named outside", "active": active}
        self.act(self.outside.organization_key, "POST", "/scim/v2/Users", user)

    @rule(whom=ANY, what=st.sampled_from(["active", "inactive", "renamed", "moved", "removed"]))
    def outside_changes_a_user(self, whom: int, what: str) -> None:
        path, value = {
            "active": ("active", True),
            "inactive": ("active", False),
            "renamed": ("displayName", "Renamed outside"),
        }.get(what, ("emails", [{"value": self.address(whom + 1)}]))
        body = {"Operations": [{"op": "replace", "path": path, "value": value}]}
        place = f"/scim/v2/Users/{self.person(whom)}"
        removing = what == "removed"
        self.act(self.outside.organization_key, "DELETE" if removing else "PATCH", place, None if removing else body)

    @rule(whom=ANY, active=st.booleans())
    def outside_changes_a_member(self, whom: int, active: bool) -> None:
        place = f"{self.outside.organization}/members/{self.person(whom)}"
        self.act(self.outside.personal_key, "PATCH", place, {"content": {"active": active, "role": "admin"}})

    @rule(whom=ANY)
    def outside_invites(self, whom: int) -> None:
        body = {"content": {"email": self.address(whom)}}
        self.act(self.outside.personal_key, "POST", f"{self.outside.organization}/invitations", body)

    @rule(personal_keys=st.sampled_from(["admins", "allowed"]))
    def outside_sets_a_key_policy(self, personal_keys: str) -> None:
        body = {"content": {"personal_keys": personal_keys, "enforce_at": "2020-01-01T00:00:00Z"}}
        self.act(self.outside.personal_key, "PUT", f"{self.outside.organization}/key-policy", body)

    @rule(which=ANY)
    def outside_revokes_a_key(self, which: int) -> None:
        """Only the keys of people who have accepted are shown. The admin keeps their own."""
        place, query = f"{self.outside.organization}/personal-keys", "limit=200"
        shown = self.act(self.outside.personal_key, "GET", f"{place}?{query}").json()["personal_keys"]
        accepted = {row[0] for row in self.rows(ACCEPTED, [self.outside.organization_id])}
        assert {key["person_id"] for key in shown} <= accepted
        of_others = [key for key in shown if key["person_id"] != self.outside.person_id]
        if of_others:
            key_id = of_others[which % len(of_others)]["api_key_id"]
            self.act(self.outside.personal_key, "DELETE", f"{place}/{key_id}")

    @rule(whom=ANY)
    def outside_reads_mail(self, whom: int) -> None:
        """The mail of people who belong here is not shown, even if they were added or invited."""
        self.cast.ask(None, "POST", "/v1/sign-in-links", {"content": {"email": self.address(whom)}})
        shown = self.act(self.outside.personal_key, "GET", f"{self.outside.organization}/mails?limit=200")
        here = {row[2] for row in self.possessions()}
        assert not here & {mail["to"] for mail in shown.json()["mails"]}

    @rule(who=ANY, accepts=st.booleans())
    def answer_outside(self, who: int, accepts: bool) -> None:
        """Someone accepts or declines the other organization, as the holder of a key."""
        place = f"/v1/me/pending-memberships/{self.outside.organization_id}"
        method, path = ("POST", f"{place}/accept") if accepts else ("DELETE", place)
        self.act(self.cast.secrets[who % len(self.cast.secrets)].key, method, path)

    def act(self, key: str, method: str, path: str, body: Any = None) -> httpx.Response:
        """Send a request; check that nothing changes here, and return the response."""
        before = self.possessions()
        answer = self.cast.ask(Secret(key, ""), method, path, body)
        what = f"{method} {path} {body}: {answer.status_code}"
        assert self.possessions() == before, what
        assert not self.rows(BARRED, {"other": self.outside.organization_id}), what
        self.settle(NO_RIGHTS, answer)
        return answer

    def possessions(self) -> list[Any]:
        where = {"here": self.cast.api.organization_id, "other": self.outside.organization_id}
        return sorted(self.rows(POSSESSIONS, where))

    def rows(self, statement: str, parameters: Any) -> list[Any]:
        return list(self.cast.database.execute(statement, parameters).fetchall())

    def person(self, whom: int) -> str:
        return self.cast.people[whom % len(self.cast.people)]

    def address(self, whom: int) -> str:
        """Return the address of someone here."""
        [(email,)] = self.rows("select coalesce(email, '') from people where person_id = %s", [self.person(whom)])
        return str(email)
