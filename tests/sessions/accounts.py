"""Accounts: added by others, by mail, by a directory or an import, and signed in."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from atrium.kit.clock import utc_now
from tests.conftest import Api, FakeClock, in_process_client
from tests.imports.export import one_day, run_import, slack_message
from tests.scim.conftest import CORE_USER, PATCH_OP
from tests.sessions.visitor import invite, mails_to, token_in

ACCEPT, LINKS = "/v1/invitations/accept", "/v1/sign-in-links"
SAME_ORIGIN = {"sec-fetch-site": "same-origin"}
PENDING = "/v1/me/pending-memberships"
Door = Callable[[Api, Path, str], str]
NEW_PASSWORD = "another horse another battery"


@asynccontextmanager
async def client_with_mail(api: Api) -> AsyncIterator[httpx.AsyncClient]:
    """Return a client of the server with a mail server set, so that only recipients read their mail."""
    async with in_process_client(
        api.settings.with_changes(smtp_url="smtp://127.0.0.1:1"), FakeClock(utc_now())
    ) as client:
        yield client


async def sign_in_by_mail(client: httpx.AsyncClient, api: Api, email: str, path: str = LINKS) -> httpx.Response:
    response = await client.post(path, json={"content": {"email": email}})
    assert response.status_code == 202
    name = "token" if path == LINKS else "reset"
    mails = await asyncio.to_thread(mails_to, api, email)
    [token] = [token_in(mail, name) for mail in mails if f"#{name}=" in mail]  # mails of the same time have no order
    content = {"token": token} | ({} if path == LINKS else {"password": "quite another one"})
    where = "/v1/sessions/link" if path == LINKS else "/v1/password-resets/confirm"
    return await client.post(where, json={"content": content}, headers=SAME_ORIGIN)


def accept_path(api: Api) -> str:
    return f"{PENDING}/{api.organization_id}/accept"


def address() -> str:
    return f"victim{os.urandom(6).hex()}@example.org"


def by_scim(api: Api, _folder: Path, email: str) -> str:
    made = api.integration.post("/scim/v2/Users", json={"schemas": [CORE_USER], "userName": email, "active": True})
    assert made.status_code == 201, made.text
    assert made.json()["active"] is True
    return str(made.json()["id"])


def by_import(api: Api, folder: Path, email: str) -> str:
    user = {"id": "U1", "name": "victim", "profile": {"email": email}}
    run_import(api, one_day(folder / "a.zip", [slack_message(1)], users=[user]))
    [member] = [each for each in members(api) if each["email"] == email]
    return str(member["person_id"])


def members(api: Api) -> list[dict[str, Any]]:
    return list(api.person.get(f"{api.organization}/members", params={"limit": 200}).json()["members"])


def read_statuses(api: Api, client: httpx.Client) -> list[int]:
    return [client.get(path).status_code for path in (api.organization, api.messages, f"/v1/spaces/{api.space_id}")]


def join_organization(session: httpx.Client, api: Api) -> list[str]:
    """Join the organization with the session; return the subjects of the mails about it."""
    email = session.get("/v1/me/profile").json()["email"]
    before = len(mails_to(api, email))
    _, token = invite(api)
    assert session.post(ACCEPT, json={"content": {"token": token, "name": "x"}}).status_code == 201
    assert session.get(api.organization).status_code == 200
    return mails_to(api, email)[before:]


def change_address(api: Api, user: str, email: str) -> httpx.Response:
    """Change the address of a user as a directory does."""
    values = [("userName", email), ("emails", [{"value": email}])]
    operations = [{"op": "replace", "path": path, "value": value} for path, value in values]
    changed = api.integration.patch(f"/scim/v2/Users/{user}", json={"schemas": [PATCH_OP], "Operations": operations})
    assert changed.status_code == 200, changed.text
    return changed


def account(api: Api, person_id: str) -> tuple[str, bool]:
    """Return the address of an account, and whether it is proven."""
    [row] = api.sql("select email, mailbox_proven_at from people where person_id::text = $1", person_id)
    return row["email"], row["mailbox_proven_at"] is not None


async def invite_by_mail(api: Api, client: httpx.AsyncClient, email: str) -> tuple[str, str]:
    """Invite an address; return the token that the inviter sees and the one in the mail."""
    key, before = {"authorization": f"Bearer {api.personal_key}"}, len(await asyncio.to_thread(mails_to, api, email))
    made = await client.post(f"{api.organization}/invitations", json={"content": {"email": email}}, headers=key)
    assert made.status_code == 201, made.text
    [mail] = (await asyncio.to_thread(mails_to, api, email))[before:]
    return made.json()["token"], token_in(mail, "invitation")


async def accept(client: httpx.AsyncClient, token: str) -> httpx.Response:
    content = {"token": token, "name": "Grace", "password": NEW_PASSWORD}
    return await client.post(ACCEPT, json={"content": content}, headers=SAME_ORIGIN)


DOORS = pytest.mark.parametrize("door", [by_scim, by_import])
