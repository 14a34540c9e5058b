"""The output of `atrium webhooks listen`: which events, on which terminal, and nothing that controls it."""

import asyncio
import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from atrium.cli.errors import CommandError
from atrium.cli.event_choice import chosen_types
from atrium.cli.event_lines import Received, event_lines
from atrium.cli.event_names import Described, Names, decoded
from atrium.client import NO_RETRIES, AsyncAtrium
from atrium.webhooks.model import SubjectType, SubscriptionType
from tests.cli.listening import (
    Program,
    arguments,
    environment,
    error_of,
    new_webhook,
    running_listener,
    running_program,
    webhooks,
)
from tests.cli.terminal import ANSI, plain
from tests.conftest import Api, free_port
from tests.wait_until import wait_until

COLOR = re.compile(r"\x1b\[[0-9;]*3[0-7]m")
HOSTILE = "All \x1b[2J\x1b]0;owned\x07 is well \u202e in 東京, " + "and a text that is longer than a line " * 5
SPACE, ROOM = frozenset({SubjectType.SPACE}), frozenset({SubjectType.ROOM})


@pytest.fixture
def program() -> Iterator[Program]:
    with running_program() as running:
        yield running


@dataclass
class Screen:
    """A command on a real terminal, and its output."""

    process: subprocess.Popen[bytes]
    raw: list[bytes] = field(default_factory=list)

    @property
    def text(self) -> str:
        return b"".join(self.raw).decode(errors="ignore").replace("\r\n", "\n")

    def events(self) -> list[str]:
        """Return the lines after the first ones, which say what it listens to."""
        return plain(self.text).partition("stop.\n\n")[2].splitlines()

    def read(self, terminal: int) -> None:
        while True:
            try:
                self.raw.append(os.read(terminal, 1 << 16))
            except OSError:  # Linux reports this when the other side is closed
                os.close(terminal)
                return


@contextmanager
def on_screen(api: Api, columns: int, *options: str, **variables: str) -> Iterator[Screen]:
    """Run it on a terminal that is `columns` wide, until it listens."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    clean = {
        name: value for name, value in environment(api.personal_key).items() if name not in ("COLUMNS", "NO_COLOR")
    }
    process = subprocess.Popen(
        arguments(api, None, *options),
        env={**clean, "TERM": "xterm-256color", **variables},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    screen = Screen(process)
    reader = Thread(target=screen.read, args=(ours,))
    reader.start()
    try:
        wait_until(lambda: "Ctrl-C" in screen.text or process.poll() is not None)
        assert process.poll() is None, screen.text
        yield screen
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
    finally:
        process.kill()
        reader.join(20)


@pytest.mark.contract("Operations 18")
def test_on_a_terminal_events_are_aligned_lines_that_fit_and_cannot_control_it(api: Api) -> None:
    with on_screen(api, 80, "--event", "message_*", "--event", "reaction_added") as screen:
        sent = api.send(HOSTILE)
        api.person.put(f"{api.messages}/{sent['message_id']}/reactions/%F0%9F%8E%89")
        api.send(f"<@{api.person_id}> look")
        wait_until(lambda: len([line for line in screen.events() if line[0] != " "]) == 3)
        api.person.delete(f"{api.messages}/{sent['message_id']}")
        wait_until(lambda: len([line for line in screen.events() if line[0] != " "]) == 4)
    assert COLOR.search(screen.text)
    unstyled = re.sub(r"\x1b\[[0-9;]*m", "", screen.text)
    assert not [each for each in unstyled if not each.isprintable() and each != "\n"]
    room = api.person.get(f"/v2/rooms/{api.room_id}").json()["name"]
    name = api.person.get("/v1/me/profile").json()["name"]
    lines = screen.events()
    assert all(cell_len(line) <= 80 for line in lines)
    heads = [line for line in lines if line[0] != " "]
    assert sorted(each.split()[1] for each in heads) == [
        "message_deleted",
        "message_sent",
        "message_sent",
        "reaction_added",
    ]
    assert {(each.index(room), each.index(name)) for each in heads} == {(28, heads[0].index(name))}
    texts = {line.strip() for line in lines if line[0] == " "}
    assert {"🎉", f"@{name} look"} < texts
    (hostile,) = (each for each in texts if each.startswith("All �[2J�]0;owned� is well � in 東京, and a text"))
    assert hostile.endswith("…")


@pytest.mark.contract("Operations 18")
def test_no_color_is_obeyed_and_the_body_is_shown_on_request(api: Api) -> None:
    with on_screen(api, 120, "--verbose", NO_COLOR="1") as screen:
        sent = api.send("hello")
        wait_until(lambda: f'"message_id": "{sent["message_id"]}"' in plain(screen.text))
    assert not COLOR.search(screen.text)
    with on_screen(api, 120, "--color", "never") as screen:
        api.send("hello")
        wait_until(lambda: "hello" in screen.text)
    assert not ANSI.search(screen.text)


@pytest.mark.contract("Operations 18")
def test_in_a_pipe_texts_are_complete_and_colors_are_on_request(api: Api, program: Program, tmp_path: Path) -> None:
    output = tmp_path / "output"
    with output.open("wb") as written:
        process = subprocess.Popen(
            arguments(api, program.url, "--color", "always"), env=environment(api.personal_key), stdout=written
        )
    wait_until(lambda: "Ctrl-C" in output.read_text())
    api.send("long " * 100 + "end")
    wait_until(lambda: "long end" in plain(output.read_text()))
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 0
    assert COLOR.search(output.read_text())


@pytest.mark.contract("Operations 19")
def test_the_server_filters_and_includes_the_message(api: Api, tmp_path: Path) -> None:
    person, key = api.new_person()
    other, email = api.client(key), api.client(key).get("/v1/me/profile").json()["email"]
    options = ("--sender", email.upper(), "--word", "deploy", "--thread", "root", "--room-type", "chat")
    with running_listener(api, None, tmp_path, "--event", "message_*", *options) as running:
        (made,) = webhooks(api)
        for each in made["subscriptions"]:
            assert each["include"] == ["message"]
            assert each["filter"] == {
                "sender_ids": [person],
                "words": ["deploy"],
                "thread": "root",
                "room_type": "chat",
            }
        assert {each["subscription_type"].rpartition("_")[2] for each in made["subscriptions"]} == {"SENT", "EDITED"}
        api.send("deploy, by someone else")
        other.post(api.messages, json={"text": "deployed"}).raise_for_status()
        sent = other.post(api.messages, json={"text": "Deploy now"}).raise_for_status().json()
        other.post(api.messages, json={"text": "deploy", "parent_id": sent["message_id"]}).raise_for_status()
        last = other.post(api.messages, json={"text": "deploy again"}).raise_for_status().json()
        wait_until(lambda: len(running.lines()) == 3)
        shown = [line["body"]["data"] for line in running.lines()[1:]]
        assert {each["message_id"] for each in shown} == {sent["message_id"], last["message_id"]}
        assert {each["message"]["text"] for each in shown} == {"Deploy now", "deploy again"}
        assert [line["status"] for line in running.lines()[1:]] == [None, None]
        assert running.end() == 0


@pytest.mark.contract("Operations 19")
def test_only_failures_are_shown_but_all_is_forwarded_as_webhooks_are(
    api: Api, program: Program, tmp_path: Path
) -> None:
    with running_listener(api, program.url, tmp_path, "--failed") as running:
        api.send("accepted")
        wait_until(lambda: program.got)
        program.answer = 500
        refused = api.send("refused")["message_id"]
        wait_until(lambda: len(running.lines()) == 2)
        assert (running.lines()[1]["status"], running.lines()[1]["body"]["data"]["message_id"]) == (500, refused)
        assert len(program.got) == 2
        assert all("message" not in event["data"] for event in program.events())  # what a program gets by default


def test_the_log_of_a_webhook_is_followed_for_some_types(api: Api, tmp_path: Path) -> None:
    webhook_id, _ = new_webhook(api)
    with running_listener(api, None, tmp_path, "--webhook", webhook_id, "--event", "message_*") as running:
        api.person.post(f"{api.organization}/webhooks/{webhook_id}/test")  # a ping
        api.send()
        wait_until(lambda: len(running.lines()) == 2)
        assert running.lines()[1]["event"] == "message_sent"


def test_options_that_choose_nothing_are_rejected(api: Api) -> None:
    key = api.personal_key
    assert "no such event. The events are message_sent, " in error_of(api, "--event", "mesage_*", key=key)
    room = ("--room", api.room_id)
    assert "a room has no such events" in error_of(api, *room, "--event", "person_*", key=key)
    only = "--sender: only for message_sent, message_edited"
    assert error_of(api, "--event", "reaction_*", "--sender", str(uuid4()), key=key) == only
    assert "neither an id nor the email address" in error_of(api, "--sender", "nobody@example.org", key=key)
    assert "has its own filters" in error_of(api, "--webhook", api.room_id, "--word", "x", key=key)
    assert webhooks(api) == []


@pytest.mark.contract("Operations 19")
@pytest.mark.parametrize(
    ("patterns", "subjects", "filters", "chosen"),
    [
        (["message_sent"], ROOM, set(), ["message_sent"]),
        (["message_*", "message_sent"], SPACE, set(), ["message_sent", "message_edited", "message_deleted"]),
        (["*"], SPACE, {"words"}, ["message_sent", "message_edited"]),
        (
            ["room_created", "space_*"],
            SPACE,
            set(),
            ["room_created", "space_member_added", "space_member_updated", "space_member_removed"],
        ),
        (["person_joined"], SPACE, set(), None),
        (["message_sent", "message_deleted"], SPACE, {"words"}, None),
    ],
)
def test_a_pattern_chooses_the_types_that_fit(
    patterns: list[str], subjects: frozenset[SubjectType], filters: set[str], chosen: list[str] | None
) -> None:
    if chosen is None:
        with pytest.raises(CommandError):
            chosen_types(patterns, subjects, filters)
    else:
        assert [each.event_type for each in chosen_types(patterns, subjects, filters)] == chosen


@pytest.mark.contract("Operations 18")
@given(
    kind=st.sampled_from([each.event_type for each in SubscriptionType]),
    subject=st.text(),
    actor=st.text(),
    excerpt=st.text(),
    error=st.none() | st.text(),
    status=st.none() | st.integers(100, 599),
    width=st.integers(80, 200),
)
def test_any_event_fits_a_terminal_in_one_or_two_lines(
    kind: str, subject: str, actor: str, excerpt: str, error: str | None, status: int | None, width: int
) -> None:
    received = Received(datetime.now(UTC), {"X-Service-Event": kind}, b"", status, error, 14_000)
    lines = event_lines(received, Described(subject, actor, excerpt), width)
    assert len(lines) in (1, 2)
    for line in lines:
        assert line.cell_len <= width
        assert line.plain.isprintable()
    assert lines[0].plain[10:].startswith(kind)


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"no json", b'{"subject": 7}', b'{"data": {"message": {}}}', b"\xff", json.dumps("x").encode()]
)
def test_a_body_that_is_not_an_event_is_shown_without_a_text(body: bytes) -> None:
    event: Any = decoded(body)
    assert (event.event_type, event.data.message) == ("", None)


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_when_nobody_reads_its_output_it_ends_and_deletes_the_webhook(api: Api, options: tuple[str, ...]) -> None:
    process = subprocess.Popen(
        arguments(api, None, *options),
        env=environment(api.personal_key),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout
    assert process.stderr
    assert b"webhook" in process.stdout.readline()
    wait_until(lambda: webhooks(api))
    process.stdout.close()
    api.send()
    assert process.wait(30) == 1
    assert process.stderr.read() == b""
    process.stderr.close()
    assert webhooks(api) == []


def test_what_cannot_be_read_is_shown_by_the_end_of_its_id() -> None:
    room, person = uuid4(), uuid4()
    data = {"room_id": str(room), "message_id": str(uuid4()), "user_id": str(person)}
    body = json.dumps({"event_type": "message_sent", "subject": {"type": "room", "id": str(room)}, "data": data})

    async def describe() -> Described:
        async with AsyncAtrium(f"http://127.0.0.1:{free_port()}", "no key", retries=NO_RETRIES) as nowhere:
            return await Names(nowhere, uuid4()).describe(decoded(body.encode()))

    assert asyncio.run(describe()) == Described(f"…{str(room)[-8:]}", f"…{str(person)[-8:]}", "")
