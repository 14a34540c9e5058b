"""The rules for personal keys, which their person reads: exactly what decides about a key that is created."""

from itertools import product
from typing import Any
from uuid import UUID

import pytest

from tests.conftest import Api
from tests.keys.limits import HOME, OWN
from tests.keys.policies import after, join, put, sign_in

Json = dict[str, Any]
NO_RULE = {"max_lifetime_days": None, "require_networks": False}


def rules(api: Api, key: str | None = None) -> list[Json]:
    """Return the rules that the person of a key reads."""
    answer = api.client(key or api.personal_key).get(OWN)
    assert answer.status_code == 200, answer.text
    found: list[Json] = answer.json()["rules"]
    return found


@pytest.mark.contract("Scopes and networks 25")
def test_a_person_reads_the_rules_of_each_organization_once_and_no_rule_without_a_policy(
    api: Api, outsider: Api
) -> None:
    assert rules(api) == [NO_RULE]
    join(api, outsider)
    assert rules(api) == [NO_RULE]
    put(api, max_lifetime_days=30)
    put(outsider, max_lifetime_days=10, require_networks=True)
    of_both = [
        {"max_lifetime_days": 10, "require_networks": True},
        {"max_lifetime_days": 30, "require_networks": False},
    ]
    assert rules(api) == of_both
    assert rules(outsider) == of_both[:1]
    gone = "update memberships set deactivated_at = now() where actor_id = $1 and organization_id = $2"
    api.sql(gone, UUID(api.person_id), UUID(outsider.organization_id))
    assert rules(api) == of_both[1:]


@pytest.mark.contract("Scopes and networks 25")
def test_rules_of_an_organization_that_allows_no_key_of_the_person_are_left_out(api: Api) -> None:
    _, member = api.new_person()
    put(api, max_lifetime_days=30, personal_keys="admins")
    assert rules(api) == [{"max_lifetime_days": 30, "require_networks": False}]
    assert rules(api, member) == []
    put(api, max_lifetime_days=30, personal_keys="none", enforce_at=after(1))
    assert rules(api) == []


@pytest.mark.contract("Scopes and networks 25")
@pytest.mark.parametrize(
    ("here", "there"),
    [
        ({}, {"max_lifetime_days": 5}),
        ({"max_lifetime_days": 5}, {"max_lifetime_days": 20, "require_networks": True}),
        ({"max_lifetime_days": 5, "personal_keys": "none"}, {"max_lifetime_days": 20}),
        ({"require_networks": True}, {}),
    ],
)
def test_a_key_can_be_created_if_it_fits_one_of_the_rules(api: Api, outsider: Api, here: Json, there: Json) -> None:
    session = sign_in(api)
    join(api, outsider)
    put(api, **here)
    put(outsider, **there)
    known = rules(api)
    for days, networks in product((4, 6, 21, None), (HOME, None)):
        fits = any(
            rule["max_lifetime_days"] is None or (days is not None and days < rule["max_lifetime_days"])
            for rule in known
            if networks or not rule["require_networks"]
        )
        content = {"name": "x", "expires_at": days and after(days), "allowed_networks": networks}
        answer = session.post(OWN, json={"content": content})
        assert answer.status_code == (201 if fits else 403), (days, networks, known, answer.text)
