"""A backup taken under load and restored elsewhere yields the same installation."""

import json
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from atrium.client import Atrium, webhooks
from atrium.kit.settings import Settings
from tests.backups.places import Place, in_a_folder, with_postgresql
from tests.conftest import Api, running_server
from tests.contract.tour import subscription
from tests.faults.receivers import Receiver, loopback, respond_204
from tests.recordings.media import PICTURE, append, begin, offset_of, record, video_room, webm
from tests.recordings.storage import CREDENTIALS
from tests.recordings.storage import s3 as s3  # noqa: PLC0414 - a fixture
from tests.wait_until import wait_until

WRITERS = 3


@contextmanager
def concurrent_writers(api: Api) -> Iterator[list[str]]:
    """Write messages from several threads; yield the ids of those that were acknowledged."""
    acknowledged: list[str] = []
    stop = Event()

    def write(number: int) -> None:
        client = api.client(api.personal_key)
        while not stop.is_set():
            sent = client.post(api.messages, json={"text": f"{number}: ¿qué? \\N \t\n \\ {len(acknowledged)}"})
            assert sent.status_code == 201, sent.text
            acknowledged.append(sent.json()["message_id"])

    with ThreadPoolExecutor(WRITERS) as pool:
        writers = [pool.submit(write, number) for number in range(WRITERS)]
        try:
            yield acknowledged
        finally:
            stop.set()
        for writer in writers:
            writer.result()


class SampleData:
    """An organization with data of each kind."""

    def __init__(self, api: Api, receiver: Receiver) -> None:
        self.api = api
        content = {"name": "x", "endpoint_url": receiver.url, "subscriptions": [subscription(api.room_id)]}
        made = api.person.post(f"{api.organization}/webhooks", json={"content": content})
        self.secret = made.json()["secret"]
        self.person_id, self.other_key = api.new_person()
        self.film, room_id = webm(9 << 20), video_room(api)
        self.recording = record(api, room_id, self.film)["recording_id"]
        self.upload = begin(api.person, room_id, 1000)
        append(api.person, self.upload, 0, webm(400))
        picture = api.person.post(f"/v2/rooms/{api.room_id}/attachments", params={"name": "a.png"}, content=PICTURE)
        self.picture = picture.json()["url"]
        self.message = api.send("with a picture", attachments=[picture.json()["attachment_id"]])["message_id"]
        api.person.put(f"{api.messages}/{self.message}/reactions/%F0%9F%91%8D")
        gone = api.new_integration()
        self.gone_key = gone["key"]
        revoked = api.person.delete(f"{api.organization}/api-keys/{gone['api_key']['api_key_id']}")
        assert revoked.status_code == 204, revoked.text

    def read(self, api: Api) -> dict[str, Any]:
        """Return the API's responses about it."""
        paths = (
            f"{api.messages}/{self.message}",
            f"{api.organization}/members",
            f"{api.organization}/webhooks",
            f"{api.organization}/spaces",
            f"/v2/recordings/{self.recording}",
        )
        return {path: (api.person.get(path).status_code, api.person.get(path).json()) for path in paths}


@contextmanager
def places(kind: str, settings: Settings, s3: str) -> Iterator[tuple[Place, Place]]:
    with ExitStack() as stack:
        folder = stack.enter_context(in_a_folder())
        elsewhere = stack.enter_context(with_postgresql(settings, storage=s3))
        outside = Place(elsewhere.settings, CREDENTIALS)
        yield (folder, outside) if kind == "from a folder" else (outside, folder)


@pytest.mark.contract("Backups, packages, upgrades 1")
@pytest.mark.parametrize("kind", ["from a folder", "into a folder"])
def test_a_backup_under_load_is_restored_elsewhere(kind: str, settings: Settings, s3: str, tmp_path: Path) -> None:
    file = tmp_path / "atrium.backup"
    with places(f"{kind}", settings, s3.replace("/atrium?", f"/{kind.replace(' ', '-')}?")) as (source, target):
        source.folder.mkdir(exist_ok=True)
        made = json.loads(
            source.run_process(
                "init", "--organization", "Acme", "--email", "ada@example.org", "--json"
            ).assert_success()
        )
        with loopback() as there:
            receiver = there.receiver(respond_204)
            with running_server(source.settings, **source.credentials) as running:
                api = Api(running.url, running.settings, **made)
                old = SampleData(api, receiver)
                with concurrent_writers(api) as acknowledged:
                    wait_until(lambda: len(acknowledged) > 100)
                    before = list(acknowledged)
                    source.run_process("backup", file).assert_success()
                    assert len(acknowledged) > len(before)
                found = old.read(api)
                api.close()
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
            target.run_process("restore", file).assert_success()
            with running_server(target.settings, **target.credentials) as running:
                api = Api(running.url, running.settings, **made)
                assert old.read(api) == found
                _assert_complete(old, api, before)
                _assert_signs(old, api, receiver)
                api.close()
        assert [path.name for path in tmp_path.iterdir()] == [file.name]


def _assert_complete(old: SampleData, api: Api, before: list[str]) -> None:
    with Atrium(api.url, api.personal_key) as atrium:
        found = [str(message.message_id) for message in atrium.room(api.room_id).messages()]
    assert set(before) <= set(found)
    assert len(found) == len(set(found))
    assert api.person.get(f"/v2/recordings/{old.recording}/media").content == old.film
    assert api.person.get(old.picture).content == PICTURE
    assert offset_of(api.person, old.upload) == 400
    assert append(api.person, old.upload, 400, webm(1000)[400:]).status_code == 204
    assert api.client(old.other_key).get("/v1/me/profile").json()["person_id"] == old.person_id
    assert api.integration.get(api.messages).status_code == 200
    assert api.client(old.gone_key).get(api.messages).status_code == 401


def _assert_signs(old: SampleData, api: Api, receiver: Receiver) -> None:
    sent = api.send("after the restoration")["message_id"]
    [delivery] = wait_until(lambda: [each for each in receiver.requests if each.message_id == sent])
    event = webhooks.verify(old.secret, delivery.body, delivery.headers)
    assert event.event_type == "message_sent"
    with Atrium(api.url, api.personal_key) as atrium:
        newest = next(iter(atrium.room(api.room_id).messages()))
    assert str(newest.message_id) == sent
