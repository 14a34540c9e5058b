"""The engine for the OpenAI transcription API, tested with a server that follows the public description of the API."""

import asyncio
import json
import random
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import settings as runs
from hypothesis import strategies as st

from atrium.transcripts import remote
from atrium.transcripts.engine import BYTES_PER_SECOND, PermanentError, TemporaryError, TranscriptionResult
from atrium.transcripts.model import Segment
from atrium.transcripts.remote import RemoteEngine, as_wav, pieces, quietest_point
from tests.transcripts.server import ReceivedRequest, running_transcriber
from tests.transcripts.sound import SECOND, Sound

RESPONSE = {
    "task": "transcribe", "language": "english", "duration": 1.0, "text": " Hello. Bye.",
    "segments": [
        {"id": 0, "seek": 0, "start": 0.0, "end": 0.5, "text": " Hello.", "tokens": [1], "temperature": 0.0},
        {"id": 1, "seek": 0, "start": 0.5, "end": 1.0, "text": " Bye.", "tokens": [2], "no_speech_prob": 0.1},
    ],
}  # fmt: skip


def transcribe(
    answer: Callable[[ReceivedRequest], Any],
    *,
    sound: Sound | None = None,
    language: str | None = None,
    path: str = "",
    **options: Any,
) -> tuple[TranscriptionResult, list[ReceivedRequest], list[float]]:
    async def example() -> tuple[TranscriptionResult, list[ReceivedRequest], list[float]]:
        done: list[float] = []
        async with running_transcriber(answer) as (url, requests):
            engine = RemoteEngine(url + path, **({"key": "sk-secret", "model": "whisper-1"} | options))
            result = await engine.transcribe(sound or Sound(SECOND), language, done.append)
        return result, requests, done

    return asyncio.run(example())


@pytest.mark.contract("Transcripts 8")
def test_the_request_follows_the_public_api() -> None:
    result, [request], done = transcribe(lambda _: web.json_response(RESPONSE), language="en-GB")
    assert request.path == "/v1/audio/transcriptions"
    assert request.headers["Authorization"] == "Bearer sk-secret"
    assert request.headers["Content-Type"].startswith("multipart/form-data; boundary=")
    assert request.fields == {
        "model": "whisper-1",
        "response_format": "verbose_json",
        "timestamp_granularities[]": "segment",
        "language": "en",
    }
    assert (request.filename, request.media_type) == ("audio.wav", "audio/wav")
    assert request.sound == SECOND
    assert result == TranscriptionResult(
        [Segment(start=0.0, end=0.5, text=" Hello."), Segment(start=0.5, end=1.0, text=" Bye.")], "en-GB"
    )
    assert done == [1.0]


def test_a_missing_key_or_language_is_not_sent() -> None:
    result, [request], _ = transcribe(
        lambda _: web.json_response(RESPONSE | {"language": "de"}), key=None, model="small"
    )
    assert "Authorization" not in request.headers
    assert "language" not in request.fields
    assert request.fields["model"] == "small"
    assert result.language == "de"


@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/", "/asr/v1"])
def test_the_url_may_end_in_any_common_way(path: str) -> None:
    _, [request], _ = transcribe(lambda _: web.json_response(RESPONSE), path=path)
    assert request.path == ("/asr" if "asr" in path else "") + "/v1/audio/transcriptions"


def test_the_path_of_the_url_is_requested_as_it_is_written() -> None:
    _, [request], _ = transcribe(lambda _: web.json_response(RESPONSE), path="/a%2Fb/[c]/../v1")
    assert request.raw_path == "/a%2Fb/[c]/../v1/audio/transcriptions"


def test_a_response_without_segments_is_spread_over_its_time() -> None:
    text = "word " * 300
    result, _, _ = transcribe(lambda _: web.json_response({"text": text}), sound=Sound(SECOND * 10))
    assert " ".join(each.text for each in result.segments).split() == text.split()
    assert (result.segments[0].start, result.segments[-1].end) == (0.0, 10.0)
    assert len(result.segments) == 3


@pytest.mark.contract("Transcripts 8")
def test_long_audio_is_sent_in_pieces_below_25_megabytes_with_continuous_times(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(as_wav(b"\0" * remote.MAX_PIECE_SECONDS * BYTES_PER_SECOND)) < 25_000_000
    monkeypatch.setattr(remote.pieces, "__defaults__", (4,))
    result, requests, done = transcribe(lambda _: web.json_response(RESPONSE), sound=Sound(*[SECOND] * 10))
    lengths = [len(each.sound) / 32_000 for each in requests]
    assert sum(lengths) == 10.0
    assert all(length <= 4 for length in lengths)
    assert b"".join(each.sound for each in requests) == SECOND * 10
    starts = [each.start for each in result.segments]
    assert starts == sorted(starts)
    assert starts[::2] == pytest.approx([0.0, *done[:-1]])


@pytest.mark.parametrize("status", [500, 502, 503, 504, 408, 429])
def test_a_server_error_is_retried(status: int) -> None:
    with pytest.raises(TemporaryError, match=str(status)):
        transcribe(lambda _: web.Response(status=status, text="no"))


@pytest.mark.parametrize(
    ("status", "words"), [(400, "request"), (401, "key"), (403, "key"), (404, "request"), (301, "request")]
)
def test_a_rejected_request_is_not_retried(status: int, words: str) -> None:
    answer = web.Response(status=status, headers={"location": "http://127.0.0.1:9/"})
    with pytest.raises(PermanentError, match=f"rejected the {words} .HTTP {status}."):
        transcribe(lambda _: answer)


@pytest.mark.parametrize(
    "body",
    ["", "<html>", "[]", '{"text": 1}', '{"text": "x", "segments": [{"start": "0"}]}'],
    ids=["nothing", "html", "list", "number", "text time"],
)
def test_an_invalid_response_is_retried(body: str) -> None:
    with pytest.raises(TemporaryError, match="an invalid response"):
        transcribe(lambda _: web.Response(text=body, content_type="application/json"))


def test_a_slow_response_times_out_and_is_retried() -> None:
    async def slow(_: ReceivedRequest) -> web.Response:
        await asyncio.sleep(60)
        return web.json_response(RESPONSE)

    with pytest.raises(TemporaryError, match="in time"):
        transcribe(slow, timeout=0.3)


def test_an_endless_response_is_not_read_further(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "MAX_RESPONSE", 1000)
    with pytest.raises(TemporaryError, match="too large"):
        transcribe(lambda _: web.Response(text=json.dumps({"text": "x" * 5000})))


def test_an_unreachable_server_is_retried() -> None:
    engine = RemoteEngine("http://127.0.0.1:9", key=None, model="m")
    with pytest.raises(TemporaryError, match="cannot be reached"):
        asyncio.run(engine.transcribe(Sound(SECOND), None, lambda _: None))


def test_segments_with_invalid_times_are_left_out() -> None:
    response = {
        "text": "x",
        "segments": [
            {"start": -0.5, "end": 0.4, "text": "a"},
            {"start": 0.6, "end": 0.6, "text": "b"},
            {"start": 0.5, "end": 0.7, "text": "c"},
            {"start": 0.2, "end": 0.3, "text": "d"},
        ],
    }
    result, _, _ = transcribe(lambda _: web.json_response(response))
    assert [(each.start, each.text) for each in result.segments] == [(0.0, "a"), (0.2, "d"), (0.5, "c")]


@runs(deadline=None, max_examples=30)
@given(st.lists(st.integers(1, 90_000), max_size=6))
def test_pieces_contain_all_audio_in_order(lengths: list[int]) -> None:
    sound = [random.Random(length).randbytes(2 * length) for length in lengths]

    async def cut() -> list[bytes]:
        return [piece async for piece in pieces(Sound(*sound), seconds=2)]

    found = asyncio.run(cut())
    assert b"".join(found) == b"".join(sound)
    assert all(0 < len(piece) <= 64_000 and len(piece) % 2 == 0 for piece in found)
    assert all(len(first) >= 32_000 for first, _ in pairwise(found))


def test_audio_is_split_where_it_is_quiet() -> None:
    loud, quiet = b"\x00\x20" * 16_000, b"\x01\x00" * 16_000
    cut = quietest_point(loud * 20 + quiet + loud * 3)
    assert 20 * 32_000 < cut < 21 * 32_000
