"""The engine that asks a server with the OpenAI transcription API, against a server that reads what it is sent with
another library, as the public description of that API has it."""

import asyncio
import io
import json
import random
import wave
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import settings as runs
from hypothesis import strategies as st

from atrium.transcripts import remote
from atrium.transcripts.engine import CannotTranscribe, Heard, TryAgain
from atrium.transcripts.model import Segment
from atrium.transcripts.remote import RemoteEngine, as_wav, pieces, quietest
from tests.transcripts.speech import Sound

SECOND = b"\x10\x00" * 16_000
SAID = {
    "task": "transcribe", "language": "english", "duration": 1.0, "text": " Hello. Bye.",
    "segments": [
        {"id": 0, "seek": 0, "start": 0.0, "end": 0.5, "text": " Hello.", "tokens": [1], "temperature": 0.0},
        {"id": 1, "seek": 0, "start": 0.5, "end": 1.0, "text": " Bye.", "tokens": [2], "no_speech_prob": 0.1},
    ],
}  # fmt: skip


@dataclass
class Asked:
    """A request as the server read it."""

    path: str
    headers: dict[str, str]
    fields: dict[str, str] = field(default_factory=dict)
    filename: str | None = None
    media_type: str | None = None
    sound: bytes = b""
    size: int = 0


@asynccontextmanager
async def transcribing(
    answer: Callable[[Asked], Awaitable[web.StreamResponse] | web.StreamResponse],
) -> AsyncIterator[tuple[str, list[Asked]]]:
    asked: list[Asked] = []

    async def take(request: web.Request) -> web.StreamResponse:
        one = Asked(request.path, dict(request.headers))
        if request.content_type == "multipart/form-data":
            async for part in await request.multipart():
                content = await part.read(decode=False)
                if part.name == "file":
                    one.filename, one.media_type, one.size = part.filename, part.headers["Content-Type"], len(content)
                    with wave.open(io.BytesIO(content)) as file:
                        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 16_000)
                        one.sound = file.readframes(file.getnframes())
                else:
                    assert part.name not in one.fields
                    one.fields[part.name] = content.decode()
        asked.append(one)
        made = answer(one)
        return made if isinstance(made, web.StreamResponse) else await made

    app = web.Application(client_max_size=1 << 26)
    app.router.add_route("*", "/{path:.*}", take)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}", asked
    finally:
        await runner.cleanup()


def hear(
    answer: Callable[[Asked], Any], *, sound: Sound | None = None, language: str | None = None, path: str = "",
    **options: Any,
) -> tuple[Heard, list[Asked], list[float]]:  # fmt: skip
    async def example() -> tuple[Heard, list[Asked], list[float]]:
        done: list[float] = []
        async with transcribing(answer) as (url, asked):
            engine = RemoteEngine(url + path, **({"key": "sk-secret", "model": "whisper-1"} | options))
            heard = await engine.transcribe(sound or Sound(SECOND), language, done.append)
        return heard, asked, done

    return asyncio.run(example())


def test_the_request_is_the_public_apis() -> None:
    heard, [asked], done = hear(lambda _: web.json_response(SAID), language="en-GB")
    assert asked.path == "/v1/audio/transcriptions"
    assert asked.headers["Authorization"] == "Bearer sk-secret"
    assert asked.headers["Content-Type"].startswith("multipart/form-data; boundary=")
    assert asked.fields == {
        "model": "whisper-1", "response_format": "verbose_json", "timestamp_granularities[]": "segment", "language": "en"
    }  # fmt: skip
    assert (asked.filename, asked.media_type) == ("audio.wav", "audio/wav")
    assert asked.sound == SECOND
    assert heard == Heard(
        [Segment(start=0.0, end=0.5, text=" Hello."), Segment(start=0.5, end=1.0, text=" Bye.")], "en-GB"
    )
    assert done == [1.0]


def test_without_key_and_language_neither_is_sent() -> None:
    heard, [asked], _ = hear(lambda _: web.json_response(SAID | {"language": "de"}), key=None, model="small")
    assert "Authorization" not in asked.headers
    assert "language" not in asked.fields
    assert asked.fields["model"] == "small"
    assert heard.language == "de"


@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/", "/asr/v1"])
def test_the_address_may_end_as_people_write_it(path: str) -> None:
    _, [asked], _ = hear(lambda _: web.json_response(SAID), path=path)
    assert asked.path == ("/asr" if "asr" in path else "") + "/v1/audio/transcriptions"


def test_an_answer_without_segments_is_spread_over_its_time() -> None:
    text = "word " * 300
    heard, _, _ = hear(lambda _: web.json_response({"text": text}), sound=Sound(SECOND * 10))
    assert " ".join(each.text for each in heard.segments).split() == text.split()
    assert (heard.segments[0].start, heard.segments[-1].end) == (0.0, 10.0)
    assert len(heard.segments) == 3


def test_long_sound_goes_in_pieces_below_25_megabytes_and_times_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(as_wav(b"\0" * remote.PIECE * remote.BYTES_A_SECOND)) < 25_000_000
    monkeypatch.setattr(remote.pieces, "__defaults__", (4,))
    heard, asked, done = hear(lambda _: web.json_response(SAID), sound=Sound(*[SECOND] * 10))
    lengths = [len(each.sound) / 32_000 for each in asked]
    assert sum(lengths) == 10.0
    assert all(length <= 4 for length in lengths)
    assert b"".join(each.sound for each in asked) == SECOND * 10
    starts = [each.start for each in heard.segments]
    assert starts == sorted(starts)
    assert starts[::2] == pytest.approx([0.0, *done[:-1]])


@pytest.mark.parametrize("status", [500, 502, 503, 504, 408, 429])
def test_a_server_that_fails_is_asked_again_later(status: int) -> None:
    with pytest.raises(TryAgain, match=str(status)):
        hear(lambda _: web.Response(status=status, text="no"))


@pytest.mark.parametrize(
    ("status", "words"), [(400, "request"), (401, "key"), (403, "key"), (404, "request"), (301, "request")]
)
def test_a_server_that_refuses_is_not_asked_again(status: int, words: str) -> None:
    answer = web.Response(status=status, headers={"location": "http://127.0.0.1:9/"})
    with pytest.raises(CannotTranscribe, match=f"refused the {words} .{status}."):
        hear(lambda _: answer)


@pytest.mark.parametrize(
    "body", ["", "<html>", "[]", '{"text": 1}', '{"text": "x", "segments": [{"start": "0"}]}'],
    ids=["nothing", "html", "list", "number", "text time"],
)  # fmt: skip
def test_an_answer_that_is_none_is_asked_for_again(body: str) -> None:
    with pytest.raises(TryAgain, match="as its API says"):
        hear(lambda _: web.Response(text=body, content_type="application/json"))


def test_a_slow_answer_is_given_up_and_asked_for_again() -> None:
    async def slow(_: Asked) -> web.Response:
        await asyncio.sleep(60)
        return web.json_response(SAID)

    with pytest.raises(TryAgain, match="in time"):
        hear(slow, answers_within=0.3)


def test_an_answer_without_end_is_not_read_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "MOST_OF_AN_ANSWER", 1000)
    with pytest.raises(TryAgain, match="more than can be"):
        hear(lambda _: web.Response(text=json.dumps({"text": "x" * 5000})))


def test_nobody_there_is_tried_again() -> None:
    engine = RemoteEngine("http://127.0.0.1:9", key=None, model="m")
    with pytest.raises(TryAgain, match="cannot be reached"):
        asyncio.run(engine.transcribe(Sound(SECOND), None, lambda _: None))


def test_times_that_cannot_be_are_left_out() -> None:
    said = {"text": "x", "segments": [
        {"start": -0.5, "end": 0.4, "text": "a"}, {"start": 0.6, "end": 0.6, "text": "b"},
        {"start": 0.5, "end": 0.7, "text": "c"}, {"start": 0.2, "end": 0.3, "text": "d"},
    ]}  # fmt: skip
    heard, _, _ = hear(lambda _: web.json_response(said))
    assert [(each.start, each.text) for each in heard.segments] == [(0.0, "a"), (0.2, "d"), (0.5, "c")]


@runs(deadline=None, max_examples=30)
@given(st.lists(st.integers(1, 90_000), max_size=6))
def test_pieces_are_all_of_the_sound_in_order(lengths: list[int]) -> None:
    sound = [random.Random(length).randbytes(2 * length) for length in lengths]

    async def cut() -> list[bytes]:
        return [piece async for piece in pieces(Sound(*sound), seconds=2)]

    found = asyncio.run(cut())
    assert b"".join(found) == b"".join(sound)
    assert all(0 < len(piece) <= 64_000 and len(piece) % 2 == 0 for piece in found)
    assert all(len(first) >= 32_000 for first, _ in pairwise(found))


def test_sound_is_cut_where_it_is_quiet() -> None:
    loud, quiet = b"\x00\x20" * 16_000, b"\x01\x00" * 16_000
    cut = quietest(loud * 20 + quiet + loud * 3)
    assert 20 * 32_000 < cut < 21 * 32_000
