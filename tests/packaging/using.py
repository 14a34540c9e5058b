"""Use a server as its users do: wait for it, send a message, read it, load the application."""

import json
import re
from dataclasses import dataclass

import httpx

from tests.wait_until import wait_until


@dataclass
class Organization:
    """The output of `atrium init --json`, and the URL of the server."""

    url: str
    key: str
    room: str

    @classmethod
    def from_output(cls, url: str, text: str) -> "Organization":
        """Read the output of `atrium init --json`."""
        first = json.loads(text)
        return cls(url, first["personal_key"], first["room_id"])

    def client(self) -> httpx.Client:
        """Return a client of the server once it is ready."""
        wait_until_ready(self.url)
        return httpx.Client(base_url=self.url, headers={"authorization": f"Bearer {self.key}"}, timeout=30)

    def send(self, text: str) -> None:
        """Send a message to the first room."""
        with self.client() as http:
            assert http.post(f"/v2/rooms/{self.room}/messages", json={"text": text}).status_code == 201

    def texts(self) -> list[str]:
        """Return the messages of the first room, oldest first."""
        with self.client() as http:
            messages = http.get(f"/v2/rooms/{self.room}/messages").json()["messages"]
        return [each["text"] for each in reversed(messages)]


def wait_until_ready(url: str) -> None:
    """Wait until a server answers both probes; creating a database takes a while on a busy machine."""
    wait_until(lambda: all(_is_ok(f"{url}/{probe}") for probe in ("healthz", "readyz")), f"{url} is ready", 240)


def load_application(url: str) -> int:
    """Load the page and everything that it names, and return how many files these are."""
    page = httpx.get(url, headers={"accept": "text/html"}).text
    named = re.findall(r'(?:src|href)="(/assets/[^"]+)"', page)
    assert named
    assert [httpx.get(f"{url}{path}").status_code for path in (*named, "/docs")] == [200] * (len(named) + 1)
    return len(named)


def _is_ok(url: str) -> bool:
    try:
        return httpx.get(url, timeout=5).status_code == 200
    except httpx.TransportError:
        return False
