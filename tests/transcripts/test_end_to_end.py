"""From a recording to its transcript with real processes, also when a worker is killed."""

import asyncio
import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psutil
import pytest
from aiohttp import web

from atrium.kit.settings import Settings
from atrium.webhooks.model import SubscriptionType
from tests.conftest import Api, fresh_database, new_organization, running_server
from tests.search.harness import search
from tests.transcripts.harness import hello
from tests.transcripts.server import ReceivedRequest, running_transcriber, running_transcriber_in_thread
from tests.transcripts.sound import tone
from tests.wait_until import wait_until
from tests.webhooks.receiver import assert_verified, running_receiver


def upload(api: Api, path: Path) -> str:
    room_id = api.new_room(room_type="video")["room_id"]
    made = api.person.post(f"/v2/rooms/{room_id}/recordings", params={"name": path.name}, content=path.read_bytes())
    assert made.status_code == 201, made.text
    assert made.json()["transcription"]["status"] == "waiting"
    return f"/v2/recordings/{made.json()['recording_id']}"


def subscribe(api: Api, endpoint_url: str) -> str:
    """Create a webhook for transcripts; return its secret."""
    wanted = {
        "subject_type": "WEBHOOK_SUBJECT_TYPE_SPACE",
        "subject_id": api.space_id,
        "subscription_type": SubscriptionType["TRANSCRIPT_PUBLISHED"],
    }
    hook = {"name": "hook", "endpoint_url": endpoint_url, "subscriptions": [wanted]}
    made = api.person.post(f"{api.organization}/webhooks", json={"content": hook})
    assert made.status_code == 201, made.text
    return str(made.json()["secret"])


def status_of(api: Api, recording: str) -> str:
    return str(api.person.get(recording).json()["transcription"]["status"])


def check(api: Api, recording: str) -> None:
    """Assert that the transcript is there and that a search finds it."""
    read = api.person.get(f"{recording}/transcript").json()
    assert [each["text"] for each in read["segments"]] == ["Hello.", "Bye."]
    assert (read["version"], read["origin"], read["language"]) == (1, "transcriber", "en")
    [hit] = wait_until(lambda: search(api, "hello")["results"], "it is found")
    assert (hit["type"], recording.endswith(hit["recording_id"])) == ("transcript", True)


@pytest.mark.contract("Transcripts 5")
def test_a_recording_is_transcribed_published_once_and_found(settings: Settings, tmp_path: Path) -> None:
    async def example(own: Settings) -> None:
        async with running_receiver() as receiver, running_transcriber(hello) as (url, _):
            await asyncio.to_thread(play, own.with_changes(transcriber=url, port=0), receiver)

    def play(own: Settings, receiver: Any) -> None:
        with running_server(own) as running:
            api = new_organization(running.settings, running.url)
            secret = subscribe(api, receiver.url)
            recording = upload(api, tone(tmp_path))
            wait_until(lambda: status_of(api, recording) in ("done", "failed"), "it is transcribed", 150)
            assert status_of(api, recording) == "done"
            check(api, recording)
            wait_until(lambda: receiver.received, "the webhook receives the event")
            api.person.put(f"{recording}/transcript", json={"segments": [{"start": 0, "end": 1, "text": "Corrected"}]})
            wait_until(lambda: search(api, "corrected")["results"], "the correction is found")
            [received] = receiver.received
            assert_verified(received, secret)
            assert recording.endswith(json.loads(received.body)["data"]["recording_id"])
            api.close()

    with fresh_database(settings) as own:
        asyncio.run(example(own))


@pytest.mark.contract("Transcripts 10")
def test_a_killed_worker_leaves_nothing_visible_and_the_job_continues(settings: Settings, tmp_path: Path) -> None:
    received = []

    async def answer(request: ReceivedRequest) -> web.Response:
        received.append(request)
        if len(received) == 1:
            await asyncio.Event().wait()
        return hello()

    with ExitStack() as stack:
        url = stack.enter_context(running_transcriber_in_thread(answer))
        own = stack.enter_context(fresh_database(settings)).with_changes(transcriber=url, port=0)
        running = stack.enter_context(running_server(own))
        api = new_organization(running.settings, running.url)
        recording = upload(api, tone(tmp_path))
        wait_until(lambda: received, "the server is asked")
        [worker] = [each for each in psutil.Process(running.process.pid).children() if "worker" in each.cmdline()]
        worker.kill()
        worker.wait(60)
        assert status_of(api, recording) == "running"
        assert api.person.get(f"{recording}/transcript").status_code == 404
        api.sql("update transcriptions set due_at = now()")  # instead of waiting a minute for the lease to expire
        wait_until(lambda: status_of(api, recording) in ("done", "failed"), "it is transcribed", 150)
        check(api, recording)
        assert [row["attempts"] for row in api.sql("select attempts from transcriptions")] == [2]
        api.close()
