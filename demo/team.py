"""Create people, groups, spaces and rooms with the Python client."""

from typing import Any
from uuid import UUID

import httpx
from msgspec import Struct

from atrium.client import Atrium, Room
from demo.organization import Group, Organization, Space

JsonObject = dict[str, Any]


class Team(Struct):
    """The organization as it grows: keys and ids of people, ids of spaces and rooms, by the names of the content."""

    content: Organization
    url: str
    organization_id: UUID
    keys: dict[str, str]
    people: dict[str, UUID]
    clients: dict[str, Atrium] = {}
    spaces: dict[str, UUID] = {}
    rooms: dict[str, UUID] = {}

    @property
    def owner(self) -> Atrium:
        """The client of the organization's super_admin."""
        return self.client(self.content.owner)

    @property
    def path(self) -> str:
        """The path of the organization."""
        return f"/v1/organizations/{self.organization_id}"

    def room(self, name: str, person: str | None = None) -> Room:
        """Return a room as a person sees it; without one, as the owner does."""
        return self.client(person or self.content.owner).room(self.rooms[name])

    def client(self, person: str) -> Atrium:
        """Return the client of a person."""
        if person not in self.clients:
            self.clients[person] = Atrium(self.url, self.keys[person])
        return self.clients[person]

    def create(self, path: str, **content: Any) -> JsonObject:
        """Create something as the owner, and return the answer."""
        return self.owner.create(path, JsonObject, {"content": content})

    def upload(self, person: str, path: str, name: str, content: bytes) -> JsonObject:
        """Upload a file as a person, and return the answer. The client sends JSON only, so this does without it."""
        headers = {"authorization": f"Bearer {self.keys[person]}"}
        answer = httpx.post(self.url + path, params={"name": name}, headers=headers, content=content, timeout=60)
        uploaded: JsonObject = answer.raise_for_status().json()
        return uploaded

    def find_rooms(self) -> None:
        """Look up the ids of all rooms."""
        for space_id in self.spaces.values():
            self.rooms |= {room.name: room.room_id for room in self.owner.rooms(space_id)}


def invite_people(team: Team) -> None:
    """Invite everyone, and accept for those who are in the team already."""
    for key, person in team.content.people.items():
        if key in team.people:
            continue
        role = person.role
        token = team.create(f"{team.path}/invitations", email=team.content.email(key), role=role)["token"]
        accepted = httpx.post(
            f"{team.url}/v1/invitations/accept", json={"content": {"token": token, "name": person.name}}, timeout=30
        )
        joined: JsonObject = accepted.raise_for_status().json()
        team.people[key] = UUID(joined["person_id"])
        team.keys[key] = joined["key"]
    for invited in team.content.invited:
        team.create(f"{team.path}/invitations", email=invited.email, role=invited.role)


def create_groups(team: Team) -> dict[str, UUID]:
    """Create the groups as an identity provider does, by SCIM. Return their ids by name."""
    key = team.create(f"{team.path}/api-keys", name="Identity provider", organization_role="admin", spaces=[])["key"]
    with Atrium(team.url, key) as directory:
        return {group.name: _create_group(directory, team, group) for group in team.content.groups}


def _create_group(directory: Atrium, team: Team, group: Group) -> UUID:
    members = [{"value": str(team.people[person])} for person in group.people]
    return UUID(directory.create("/scim/v2/Groups", JsonObject, {"displayName": group.name, "members": members})["id"])


def create_spaces(team: Team, first_space: UUID, groups: dict[str, UUID]) -> None:
    """Create all spaces and give groups their roles. The first one exists already and gets its name."""
    for number, space in enumerate(team.content.spaces):
        team.spaces[space.name] = _name_space(team, first_space, space) if number == 0 else _create_space(team, space)
        for group, role in space.grants.items():
            grants = f"/v1/spaces/{team.spaces[space.name]}/groups"
            team.owner.request("PUT", f"{grants}/{groups[group]}", JsonObject, body={"content": {"role": role}})


def name_first_room(team: Team, first_room: UUID) -> None:
    """Give the room that exists already its name, before the import brings a room with the old one."""
    first = team.content.spaces[0].rooms[0]
    body = {"name": first.name, "description": first.description}
    team.owner.request("PATCH", f"/v2/rooms/{first_room}", JsonObject, body=body)


def create_rooms(team: Team) -> None:
    """Create the rooms that the import did not create."""
    team.find_rooms()
    for space in team.content.spaces:
        for room in space.rooms:
            if room.name not in team.rooms:
                body = {"name": room.name, "room_type": room.type, "description": room.description}
                made = team.owner.create(f"/v2/spaces/{team.spaces[space.name]}/rooms", JsonObject, body)
                team.rooms[room.name] = UUID(made["room_id"])


def _name_space(team: Team, space_id: UUID, space: Space) -> UUID:
    body = {"content": {"name": space.name, "description": space.description}}
    team.owner.request("PATCH", f"/v1/spaces/{space_id}", JsonObject, body=body)
    return space_id


def _create_space(team: Team, space: Space) -> UUID:
    made = team.create(
        f"{team.path}/spaces", name=space.name, description=space.description, visibility=space.visibility
    )
    return UUID(made["space"]["space_id"])
