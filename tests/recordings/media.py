"""Media to upload, and the ways to upload it."""

import base64
import struct
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import httpx

from tests.conftest import Api

WEBM = b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\xf7\x81\x01\x42\xf2\x81\x04\x42\xf3\x81\x08\x42\x82\x84webm"
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg=="
)  # a PNG of one pixel
TUS = {"tus-resumable": "1.0.0"}


def webm(size: int, seed: int = 1) -> bytes:
    """Return bytes that begin like WebM, each identifiable by its position."""
    count = size // 8 + 1
    return (WEBM + struct.pack(f">{count}Q", *range(seed << 40, (seed << 40) + count)))[:size]


@cache
def film(seconds: int = 20, noise: int = 0) -> bytes:
    """Return a video that a browser plays, made by ffmpeg. With a noise of 60, a minute of it takes 6 MB."""
    rate = 2 if noise else 10  # noise takes long to encode
    picture = f"testsrc=size=320x240:rate={rate}:duration={seconds}" + f",noise=alls={noise}:allf=t" * bool(noise)
    quality = ["-c:v", "libvpx", "-deadline", "realtime", "-g", "10", "-b:v", "2000k" if noise else "800k"]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "film.webm"
        command = ["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", picture, *quality, path]
        subprocess.run(command, check=True, timeout=600)
        return path.read_bytes()


def video_room(api: Api, space_id: str | None = None) -> str:
    """Create a room that accepts recordings. Returns its id."""
    return str(api.new_room(space_id, name=f"films {uuid4()}", room_type="video")["room_id"])


def record(api: Api, room_id: str, content: bytes, client: httpx.Client | None = None, **query: str) -> dict[str, Any]:
    """Upload a recording in one request."""
    made = (client or api.person).post(f"/v2/rooms/{room_id}/recordings", content=content, params=query)
    assert made.status_code == 201, made.text
    return dict(made.json())


def begin(client: httpx.Client, room_id: str, size: int, kind: str = "recording", name: str = "film.webm") -> str:
    """Start a tus upload. Returns its path."""
    metadata = ",".join(
        f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in (("filename", name), ("kind", kind))
    )
    headers = {**TUS, "upload-length": str(size), "upload-metadata": metadata}
    begun = client.post(f"/v2/rooms/{room_id}/uploads", headers=headers)
    assert begun.status_code == 201, begun.text
    return str(begun.headers["location"])


def append(client: httpx.Client, upload: str, offset: int, content: Any, **headers: str) -> httpx.Response:
    """Send more bytes of a tus upload."""
    own = {**TUS, "upload-offset": str(offset), "content-type": "application/offset+octet-stream", **headers}
    return client.patch(upload, content=content, headers=own)


def offset_of(client: httpx.Client, upload: str) -> int:
    """Return how many bytes of a tus upload are stored."""
    head = client.head(upload, headers=TUS)
    assert head.status_code == 200, head.text
    return int(head.headers["upload-offset"])
