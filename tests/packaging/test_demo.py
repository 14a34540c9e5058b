"""`make demo`: one start creates everything that it promises."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from demo.server import CommandFailed, Server
from demo.set_up import SavedDemo
from demo.slack_export import write_export

from atrium.client import Atrium, Message
from tests.conftest import free_port, scratch_folder
from tests.house.sources import ROOT

pytestmark = pytest.mark.timeout(300)
ARCHIVED = {"type": "message", "user": "U1", "text": "We started here.", "ts": "1494517568.000100"}


@dataclass
class Started:
    """A running demo: its output, and its organization as its owner sees it."""

    printed: str
    links: list[str]
    saved: SavedDemo
    url: str
    owner: Atrium

    @property
    def organization(self) -> str:
        """Return the path of the organization."""
        return f"/v1/organizations/{self.saved.organization_id}"

    def read(self, path: str, **query: str | int) -> dict[str, Any]:
        """Return a response of the API."""
        return self.owner.request("GET", path, dict[str, Any], query=query)

    def messages(self, room: str) -> list[Message]:
        """Return all messages of a room, newest first."""
        return list(self.owner.room(self.saved.rooms[room]).messages())


@pytest.fixture(scope="module")
def demo() -> Iterator[Started]:
    """Run the demo with a small Slack archive; stop it with Ctrl-C."""
    with scratch_folder() as folder:
        archive = folder / "library.zip"
        write_export(archive, [{"id": "U1", "name": "ada"}], [{"id": "C1", "name": "general"}], {"general": [ARCHIVED]})
        environment = {**os.environ, "ATRIUM_DEMO_DIR": str(folder / "demo"), "DEMO_ARCHIVE": str(archive)}
        with subprocess.Popen(
            [sys.executable, "-u", "-m", "demo"],
            cwd=ROOT,
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
        ) as process:
            try:
                yield wait_until_started(process, folder / "demo")
            finally:
                process.send_signal(signal.SIGINT)
                rest, _ = process.communicate(timeout=60)
        assert (process.returncode, "Stopped." in rest) == (0, True)


def wait_until_started(process: subprocess.Popen[str], folder: Path) -> Started:
    assert process.stdout
    lines = list[str]()
    while not lines or "works once" not in lines[-1]:
        lines.append(process.stdout.readline())
        assert lines[-1], "".join(lines)
    printed = "".join(lines)
    saved = msgspec.json.decode((folder / "demo.json").read_bytes(), type=SavedDemo)
    url = re.findall(r"Address +(\S+)", printed)[0]
    return Started(printed, re.findall(r"\S+/sign-in#token=\S+", printed), saved, url, Atrium(url, saved.keys["maren"]))


def test_it_prints_the_url_and_sign_in_links_for_an_administrator_and_a_member(demo: Started) -> None:
    assert len(demo.links) == 2
    roles = []
    for link in demo.links:
        with httpx.Client(base_url=demo.url, headers={"origin": demo.url}, timeout=30) as browser:
            token = link.partition("#token=")[2]
            assert browser.post("/v1/sessions/link", json={"content": {"token": token}}).status_code == 201
            roles += [each["role"] for each in browser.get("/v1/me/organizations").json()["organizations"]]
    assert roles == ["super_admin", "member"]
    assert "Ctrl-C" in demo.printed


def test_there_are_people_groups_spaces_and_rooms_of_each_type_with_unique_names(demo: Started) -> None:
    spaces = list(demo.owner.spaces(demo.saved.organization_id))
    rooms = [room for space in spaces for room in demo.owner.rooms(space.space_id)]
    assert {space.visibility for space in spaces} == {"open", "private"}
    assert {room.room_type for room in rooms} == {"chat", "post", "video"}
    assert Counter(room.name for room in rooms).most_common(1)[0][1] == 1
    assert "library-general" in {room.name for room in rooms}
    groups = demo.read(f"{demo.organization}/groups")["groups"]
    assert len(groups) == 2
    assert len(demo.saved.people) == 7
    assert len(demo.read(f"{demo.organization}/invitations")["invitations"]) == 1


def test_a_month_has_threads_reactions_mentions_and_files(demo: Started) -> None:
    talk = demo.messages("forecasts")
    assert any(message.thread_root_id for message in talk)
    assert all(any(getattr(message, part) for message in talk) for part in ("reactions", "mentions", "attachments"))


def test_the_charts_show_a_month(demo: Started) -> None:
    days = demo.read(f"{demo.organization}/overview", days=30)["days"]
    for count in ("messages", "deliveries_succeeded"):
        assert sum(day[count] > 0 for day in days) >= 15, count
    assert sum(day["deliveries_failed"] > 0 for day in days) >= 2
    assert 0 < days[0]["people"] < days[-1]["people"]


def test_there_are_posts_and_a_page_of_blocks(demo: Started) -> None:
    posts = demo.messages("announcements")
    assert sum(post.parent_id is None for post in posts) == 3
    blocks = demo.read(f"/v2/rooms/{demo.saved.rooms['welcome']}/blocks")["blocks"]
    assert {"heading", "paragraph", "todo", "callout", "list", "code", "quote"} <= {block["type"] for block in blocks}


def test_there_is_a_recording_with_its_transcript(demo: Started) -> None:
    if shutil.which("ffmpeg") is None:
        assert "ffmpeg is not installed" in demo.printed
        return
    (recording,) = demo.read(f"/v2/rooms/{demo.saved.rooms['talks']}/recordings")["recordings"]
    transcript = demo.read(f"/v2/recordings/{recording['recording_id']}/transcript")
    assert {segment["speaker"] for segment in transcript["segments"]} == {"Yuki Tanaka", "Tom Ashdown", "Maren Holt"}


def test_one_webhook_shows_successes_a_failure_and_a_retry_and_another_is_paused(demo: Started) -> None:
    webhooks = demo.owner.webhooks(demo.saved.organization_id)
    log = list(webhooks.deliveries(demo.saved.hook.webhook_id))
    states = Counter((each.status.removeprefix("DELIVERY_STATUS_"), bool(each.retry_count)) for each in log)
    assert states["SUCCEEDED", False] > 10
    assert states["SUCCEEDED", True] >= 1
    assert states["FAILED", False] == 1
    assert {each.status for each in webhooks.list()} == {"WEBHOOK_STATUS_ACTIVE", "WEBHOOK_STATUS_PAUSED"}


def test_tools_post_through_incoming_webhooks(demo: Started) -> None:
    incoming = list(demo.owner.room(demo.saved.rooms["builds"]).incoming_webhooks().list())
    assert len(incoming) == 2
    assert all(each.last_used_at for each in incoming)
    assert len(demo.messages("builds")) == 5


def test_a_folder_of_another_release_is_named_with_the_cause(tmp_path: Path) -> None:
    """The server rejects it; the demo prints the reason and the folder to delete."""
    server = Server(tmp_path, free_port())
    (tmp_path / "postgres").write_text("no database")
    with pytest.raises(CommandFailed) as error, server.running():
        pass
    last = server.log.read_text().splitlines()[-1]
    assert str(error.value).splitlines() == [
        f"atrium serve ended: {last}",
        f"Its log is {server.log}. To begin again with a new demo, delete {tmp_path}.",
    ]
