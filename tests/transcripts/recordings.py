"""Recordings with transcripts, and their events."""

from typing import Any

import httpx

from tests.conftest import Api
from tests.transcripts.harness import SPEECH


def new_recording(api: Api, **room: Any) -> str:
    """Create a recording in a new video room; return its path."""
    room_id = api.new_room(room_type="video", **room)["room_id"]
    made = api.person.post(f"/v2/rooms/{room_id}/recordings", params={"name": "Planning.wav"}, content=SPEECH)
    assert made.status_code == 201, made.text
    return f"/v2/recordings/{made.json()['recording_id']}"


def put(api: Api, recording: str, *texts: str, client: httpx.Client | None = None, **more: Any) -> httpx.Response:
    segments = [{"start": nr, "end": nr + 1, "text": text} for nr, text in enumerate(texts)]
    return (client or api.person).put(f"{recording}/transcript", json={"segments": segments, **more})


def events(api: Api, webhook: str) -> list[dict[str, Any]]:
    api.wait_for_queue()
    return list(api.person.get(f"{webhook}/logs").json()["logs"])
