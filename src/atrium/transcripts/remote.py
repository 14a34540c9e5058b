"""Transcribe with a server that has the OpenAI transcription API (`POST /v1/audio/transcriptions`).

The audio is sent as WAV files of at most ten minutes (19 MB; 25 MB are allowed), split where it is quietest.
"""

import asyncio
import io
import textwrap
import wave
from array import array
from collections.abc import AsyncIterator
from itertools import accumulate
from operator import attrgetter

import aiohttp
import msgspec
from msgspec import Struct
from yarl import URL

from atrium.kit.network.addresses import written_path
from atrium.transcripts.engine import (
    BYTES_PER_SECOND,
    RATE,
    Audio,
    PermanentError,
    Progress,
    TemporaryError,
    TranscriptionResult,
)
from atrium.transcripts.model import Segment

MAX_PIECE_SECONDS, SEARCH_SECONDS = (
    600,
    20,
)  # seconds of a file, and at its end, in which the quietest point is searched
SPAN = RATE // 5  # samples over which loudness is measured
TIMEOUT = 900.0  # seconds
MAX_RESPONSE = 16 << 20
PART = 500  # characters per segment if the server returns text without times
BUSY = (408, 409, 425, 429)


class ResponseSegment(Struct):
    """A segment in the server's response."""

    start: float
    end: float
    text: str


class Response(Struct):
    """The fields that are used of the server's response (`verbose_json`)."""

    text: str
    language: str | None = None
    duration: float | None = None
    segments: list[ResponseSegment] | None = None


class RemoteEngine:
    """Transcribe with `model` on the server at `url`. `key` is sent if given."""

    def __init__(self, url: str, *, key: str | None, model: str, timeout: float = TIMEOUT) -> None:
        base = url.rstrip("/")
        path = written_path(base if base.endswith("/v1") else f"{base}/v1") + "/audio/transcriptions"
        self._url = URL(url).with_path(path, encoded=True)
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._model, self._timeout = model, aiohttp.ClientTimeout(total=timeout)

    async def transcribe(self, audio: Audio, language: str | None, progress: Progress) -> TranscriptionResult:
        """Transcribe `audio` in one request per piece; call `progress` with the seconds that are done. Raise
        PermanentError, TemporaryError."""
        segments: list[Segment] = []
        start, spoken = 0.0, language
        async with aiohttp.ClientSession(headers=self._headers, timeout=self._timeout, trust_env=False) as session:
            async for piece in pieces(audio):
                response = await self._send(session, piece, language)
                length = len(piece) / BYTES_PER_SECOND
                segments += _segments(response, start, length)
                start += length
                spoken = spoken or _language_code(response.language)
                progress(start)
        return TranscriptionResult(sorted(segments, key=attrgetter("start")), spoken)

    async def _send(self, session: aiohttp.ClientSession, piece: bytes, language: str | None) -> Response:
        try:
            async with session.post(self._url, data=self._form(piece, language), allow_redirects=False) as response:
                body = await response.content.read(MAX_RESPONSE)
                while more := await response.content.read(MAX_RESPONSE):
                    body += more
                    if len(body) > MAX_RESPONSE:
                        raise TemporaryError("The response of the transcription server is too large.")
        except TimeoutError:
            raise TemporaryError("The transcription server did not respond in time.") from None
        except (aiohttp.ClientError, OSError):
            raise TemporaryError("The transcription server cannot be reached.") from None
        return _read(response.status, body)

    def _form(self, piece: bytes, language: str | None) -> aiohttp.FormData:
        form = aiohttp.FormData()
        form.add_field("file", as_wav(piece), filename="audio.wav", content_type="audio/wav")
        form.add_field("model", self._model)
        form.add_field("response_format", "verbose_json")
        form.add_field("timestamp_granularities[]", "segment")
        if language:
            form.add_field("language", language.lower().partition("-")[0])
        return form


def _read(status: int, body: bytes) -> Response:
    if status >= 500 or status in BUSY:
        raise TemporaryError(f"The transcription server returned HTTP {status}.")
    if status in (401, 403):
        raise PermanentError(f"The transcription server rejected the key (HTTP {status}).")
    if not 200 <= status < 300:
        raise PermanentError(f"The transcription server rejected the request (HTTP {status}).")
    try:
        return msgspec.json.decode(body, type=Response)
    except msgspec.DecodeError:
        raise TemporaryError("The transcription server returned an invalid response.") from None


def _segments(response: Response, offset: float, length: float) -> list[Segment]:
    """Return the segments of a piece that starts at `offset`, or its text in parts if the server returned none."""
    found = _split_evenly(response.text, length) if response.segments is None else response.segments
    return [
        Segment(start=offset + max(segment.start, 0.0), end=offset + segment.end, text=segment.text)
        for segment in found
        if max(segment.start, 0.0) + 0.001 <= segment.end
    ]


def _split_evenly(text: str, length: float) -> list[ResponseSegment]:
    """Split text without timestamps into segments whose durations are proportional to their lengths."""
    parts = textwrap.wrap(text, PART)
    ends = [at / (sum(map(len, parts)) or 1) * length for at in accumulate(map(len, parts))]
    return [ResponseSegment(start, end, part) for start, end, part in zip([0.0, *ends], ends, parts, strict=False)]


def _language_code(language: str | None) -> str | None:
    """Return the response's language if it is a code; some servers return `english`, which is not."""
    return language if language and len(language) in (2, 3) and language.isascii() and language.isalpha() else None


async def pieces(audio: Audio, seconds: int = MAX_PIECE_SECONDS) -> AsyncIterator[bytes]:
    """Yield the audio in pieces of at most `seconds`."""
    buffer = bytearray()
    async for chunk in audio.chunks():
        buffer += chunk
        while len(buffer) > seconds * BYTES_PER_SECOND:
            cut = await asyncio.to_thread(quietest_point, bytes(buffer[: seconds * BYTES_PER_SECOND]))
            yield bytes(buffer[:cut])
            del buffer[:cut]
    if buffer:
        yield bytes(buffer)


def quietest_point(audio: bytes) -> int:
    """Return where to split, in bytes: the middle of the quietest fifth of a second near the end."""
    samples = array("h", audio[: len(audio) // 2 * 2])
    first = max(len(samples) - SEARCH_SECONDS * RATE, len(samples) // 2)
    starts = range(first, len(samples) - SPAN, SPAN // 2)
    loudness = {at: sum(map(abs, samples[at : at + SPAN])) for at in starts}
    return 2 * (min(loudness, key=loudness.__getitem__) + SPAN // 2) if loudness else len(audio)


def as_wav(audio: bytes) -> bytes:
    """Return the audio as a WAV file."""
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(audio)
    return out.getvalue()
