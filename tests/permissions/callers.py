"""Every kind of caller, created over HTTP: never or no longer a member, and each role in organization and space.

Those of another organization have each role there, with the highest role in its space and with none.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import cycle
from uuid import uuid4

import httpx

from atrium.permissions import OrganizationRole, Scope, SpaceRole
from tests.conftest import Api
from tests.recordings.media import begin, record, webm

GUEST, MEMBER, READER, ADMIN, SUPER_ADMIN = OrganizationRole


class Standing(Enum):
    """Where a caller belongs."""

    NOBODY = "sends no key"
    STOPPED = "sends a key that does not work"
    AWAY = "sends a key that may be used only from another network"
    OTHER = "belongs to another organization"
    HERE = "belongs to the organization"


@dataclass(frozen=True)
class Caller:
    """A caller, with their roles in the requested organization and in its private space."""

    name: str
    standing: Standing
    key: str | None = None
    actor_id: str = ""
    is_person: bool = True
    role: OrganizationRole = GUEST
    space: SpaceRole | None = None
    own: dict[str, str] = field(default_factory=dict)  # created while they were an admin of the space
    scopes: Sequence[str] | None = None


def create_callers(api: Api, others: Api, video_room_id: str) -> list[Caller]:
    """Return all callers; `api` has a private space."""
    plans = [(api, Standing.HERE), (others, Standing.OTHER)]
    with ThreadPoolExecutor(4) as hands:
        making = [
            hands.submit(_create, where, standing, is_person, role, space)
            for where, standing in plans
            for is_person, role, space in _kinds()
            if standing is Standing.HERE or space in (None, SpaceRole.ADMIN)
        ]
        callers = [each.result() for each in making]
        here = [caller for caller in callers if caller.standing is Standing.HERE]
        placed = list(hands.map(lambda caller: _place(api, caller, video_room_id), here))
    return [*_strangers(api), *placed, *(each for each in callers if each.standing is Standing.OTHER)]


def with_one_scope(api: Api, callers: list[Caller]) -> list[Caller]:
    """Return the most powerful callers with a key for each scope."""
    return _all_with_scopes(api, [(caller, [scope]) for caller in _highest(callers) for scope in Scope])


def with_three_scopes(api: Api, callers: list[Caller]) -> list[Caller]:
    """Return the other callers of the organization with three scopes each."""
    highest, ahead = _highest(callers), cycle(Scope)
    here = [caller for caller in callers if caller.standing is Standing.HERE and caller not in highest]
    return _all_with_scopes(
        api, [(caller, [next(ahead) for _ in range(3)]) for caller in here]
    )  # of 11: triples differ


def _all_with_scopes(api: Api, plans: list[tuple[Caller, list[Scope]]]) -> list[Caller]:
    with ThreadPoolExecutor(4) as hands:
        return list(hands.map(lambda plan: _with_scopes(api, *plan), plans))


def away(api: Api, callers: list[Caller]) -> list[Caller]:
    """Return the most powerful callers with keys that may be used only from a network where no test is."""
    limits = {"allowed_networks": ["192.0.2.0/24", "2001:db8::/32"]}
    return [
        replace(each, standing=Standing.AWAY, key=_limited_key(api, each, limits), own={}) for each in _highest(callers)
    ]


def _highest(callers: list[Caller]) -> list[Caller]:
    here = [caller for caller in callers if caller.standing is Standing.HERE]
    return [caller for caller in here if (caller.role, caller.space) == (SUPER_ADMIN, SpaceRole.ADMIN)]


def _with_scopes(api: Api, caller: Caller, scopes: list[Scope]) -> Caller:
    name = f"{caller.name}, with {' '.join(scopes)}"
    return replace(caller, name=name, key=_limited_key(api, caller, {"scopes": scopes}), own={}, scopes=scopes)


def _limited_key(api: Api, caller: Caller, limits: dict[str, list[str]]) -> str:
    """Return another key of the caller, with limits."""
    if caller.is_person:
        made = api.client(caller.key).post("/v1/me/integrations", json={"content": {"name": "narrow", **limits}})
    else:
        path = f"{api.organization}/integrations/{caller.actor_id}/api-keys"
        made = api.person.post(path, json={"content": {"key_name": "narrow", **limits}})
    assert made.status_code == 201, made.text
    return str(made.json()["key"])


def actors_without_grants(api: Api) -> list[Caller]:
    """Return actors without grants, with their roles in an open space."""
    inherited = {GUEST: None, MEMBER: SpaceRole.MEMBER, READER: SpaceRole.MEMBER}
    people = [_create(api, Standing.HERE, True, role, None) for role in OrganizationRole]
    holding = [replace(each, space=inherited.get(each.role, SpaceRole.ADMIN)) for each in people]
    return [*holding, *(_create(api, Standing.HERE, False, role, None) for role in OrganizationRole)]


def _kinds() -> Iterator[tuple[bool, OrganizationRole, SpaceRole | None]]:
    for role in OrganizationRole:
        for space in (None, *SpaceRole):
            yield False, role, space
            if not role.holds(ADMIN):
                yield True, role, space
        if role.holds(ADMIN):
            yield True, role, SpaceRole.ADMIN  # in every space


def _create(api: Api, standing: Standing, is_person: bool, role: OrganizationRole, space: SpaceRole | None) -> Caller:
    name = f"{standing.name} {'person' if is_person else 'integration'} {role}, in the space {space or 'nothing'}"
    if is_person:
        actor_id, key = api.new_person(role)
    else:
        made = api.new_integration(role=role)
        actor_id, key = made["api_key"]["integration_id"], made["key"]
    if standing is Standing.OTHER:
        grant(api, actor_id, space)
    return Caller(name, standing, key, actor_id, is_person, role, space)


def _place(api: Api, caller: Caller, video_room_id: str) -> Caller:
    """Put the caller into the space; a member first creates resources of their own as an admin of it."""
    if caller.role is not MEMBER:
        grant(api, caller.actor_id, caller.space)
        return caller
    grant(api, caller.actor_id, SpaceRole.ADMIN)
    client = api.client(caller.key)
    sent = client.post(api.messages, json={"text": "mine"}).json()
    own = {
        "message_id": sent["message_id"],
        "recording_id": record(api, video_room_id, webm(100), client)["recording_id"],
        "upload_id": begin(client, api.room_id, 1000, "attachment").rsplit("/", 1)[1],
    }
    spoken = {"segments": [{"start": 0, "end": 1, "text": "Hello."}]}
    put = client.put(f"/v2/recordings/{own['recording_id']}/transcript", json=spoken)
    assert put.is_success, put.text
    grant(api, caller.actor_id, caller.space)
    return replace(caller, own=own)


def grant(api: Api, actor_id: str, role: SpaceRole | None) -> None:
    """Give the actor the role in the first space, or none."""
    place = f"/v1/spaces/{api.space_id}/members/{actor_id}"
    if role is None:
        api.person.delete(place)
    else:
        assert api.person.put(place, json={"content": {"role": role}}).is_success


def _strangers(api: Api) -> list[Caller]:
    """Return callers without a key, and with a revoked one."""
    keys = {
        "of a person, revoked": _revoked_key(api, api.client(api.new_person("admin")[1]), "/v1/me/integrations"),
        "of an integration, revoked": _revoked_key(api, api.person, f"{api.organization}/api-keys"),
        "of a person, rotated": _rotated_key(api),
        "of a person, expired": _expired_key(api, api.new_person("admin")[1]),
        "of an integration, expired": _expired_key(api, api.new_integration(role="admin")["key"]),
        "of a person who is deactivated": _key_of_former_member(api, active=False),
        "of a person who was removed": _key_of_former_member(api, active=None),
        "that is none": "atrp_nothing",
    }
    stopped = [Caller(f"with a key {what}", Standing.STOPPED, key) for what, key in keys.items()]
    return [Caller("without a key", Standing.NOBODY), *stopped]


def _new_key(owner: httpx.Client, path: str) -> tuple[str, str]:
    content = {"name": "short", **({"organization_role": "admin", "spaces": []} if path.startswith("/v1/org") else {})}
    made = owner.post(path, json={"content": content}).json()
    return made["key"], f"{path}/{made['api_key']['api_key_id']}"


def _revoked_key(api: Api, owner: httpx.Client, path: str) -> str:
    key, place = _new_key(owner, path)
    assert owner.delete(place).status_code == 204
    return key


def _rotated_key(api: Api) -> str:
    owner = api.client(api.new_person("admin")[1])
    key, place = _new_key(owner, "/v1/me/integrations")
    assert owner.post(f"{place}/rotate").status_code == 200
    return key


def _expired_key(api: Api, key: str) -> str:
    api.sql("update api_keys set expires_at = now() where key_hash = sha256($1::text::bytea)", key)
    return key


def _key_of_former_member(api: Api, active: bool | None) -> str:
    email = f"{uuid4().hex}@example.org"
    person_id, key = api.new_person(email=email)
    place = f"{api.organization}/members/{person_id}"
    gone = api.person.delete(place) if active is None else api.person.patch(place, json={"content": {"active": active}})
    assert gone.is_success, gone.text
    return key
