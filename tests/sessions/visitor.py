"""A person with a browser: a client that stores cookies and sends the origin of its requests, as browsers do."""

import os
import re
from dataclasses import dataclass

import httpx

from tests.conftest import Api

PASSWORD = "correct horse battery staple"
PROFILE, SESSIONS = "/v1/me/profile", "/v1/sessions"


def browser(api: Api) -> httpx.Client:
    """Return a new browser."""
    made = api.client(None)
    made.headers["sec-fetch-site"] = "same-origin"
    made.headers["user-agent"] = "Test browser"
    return made


@dataclass
class Visitor:
    """A person with a password."""

    api: Api
    email: str
    person_id: str
    password: str = PASSWORD

    def sign_in(self, password: str | None = None, client: httpx.Client | None = None) -> httpx.Response:
        """Try to sign in, with a new browser unless one is given."""
        content = {"email": self.email, "password": password or self.password}
        return (client or browser(self.api)).post(SESSIONS, json={"content": content})

    def signed_in_client(self) -> httpx.Client:
        """Return a signed-in browser."""
        made = browser(self.api)
        answer = self.sign_in(client=made)
        assert answer.status_code == 201, answer.text
        return made


def invite(api: Api, email: str | None = None, role: str = "member") -> tuple[str, str]:
    """Create an invitation; return its address and token."""
    email = email or f"p{os.urandom(6).hex()}@example.org"
    response = api.person.post(f"{api.organization}/invitations", json={"content": {"email": email, "role": role}})
    assert response.status_code == 201, response.text
    return email, response.json()["token"]


def visitor(api: Api, role: str = "member", email: str | None = None) -> Visitor:
    """Create a member who set a password when accepting the invitation."""
    email, token = invite(api, email, role)
    content = {"token": token, "name": "Grace", "password": PASSWORD}
    taken = browser(api).post("/v1/invitations/accept", json={"content": content})
    assert taken.status_code == 201, taken.text
    return Visitor(api, email, taken.json()["person_id"])


def mails_to(api: Api, email: str) -> list[str]:
    """Return the texts of the mails to that address, oldest first."""
    rows = api.sql("select body from mails where lower(recipient) = lower($1) order by mail_id", email)
    return [row["body"] for row in rows]


def token_in(mail: str, name: str) -> str:
    """Return the token of a mailed link."""
    found = re.search(rf"/sign-in#{name}=([\w-]+)$", mail, re.M)
    assert found, mail
    return found[1]


def status_of(client: httpx.Client) -> int:
    """Return the status of the client's profile request."""
    return client.get(PROFILE).status_code
