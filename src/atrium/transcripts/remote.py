"""The engine that asks a server with the OpenAI transcription API (`POST /v1/audio/transcriptions`).

The sound is sent as WAV files of ten minutes and less, which is 19 MB where 25 are allowed, cut where it is quietest.
"""

import asyncio
import io
import textwrap
import wave
from array import array
from collections.abc import AsyncIterator
from itertools import accumulate

import aiohttp
import msgspec
from msgspec import Struct

from atrium.transcripts.engine import BYTES_A_SECOND, RATE, Audio, CannotTranscribe, Heard, Progress, TryAgain
from atrium.transcripts.model import Segment

PIECE, LOOKED_AT = 600, 20  # seconds of a file, and before its end, among which the quietest place is sought
WINDOW = RATE // 5  # samples that have to be quiet together
ANSWERS_WITHIN = 900.0  # seconds
MOST_OF_AN_ANSWER = 16 << 20
PART = 500  # characters of a segment, where the server gives text alone
BUSY = (408, 409, 425, 429)


class Said(Struct):
    """A segment as the server answers it."""

    start: float
    end: float
    text: str


class Answer(Struct):
    """What the server answers, as far as it is used (`verbose_json`)."""

    text: str
    language: str | None = None
    duration: float | None = None
    segments: list[Said] | None = None


class RemoteEngine:
    """Asks the server at `url`, with `key` where it wants one, for what `model` hears."""

    def __init__(self, url: str, *, key: str | None, model: str, answers_within: float = ANSWERS_WITHIN) -> None:
        base = url.rstrip("/")
        self._url = (base if base.endswith("/v1") else f"{base}/v1") + "/audio/transcriptions"
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._model, self._timeout = model, aiohttp.ClientTimeout(total=answers_within)

    async def transcribe(self, audio: Audio, language: str | None, progress: Progress) -> Heard:
        """What is said in `audio`, asked for piece by piece. Raises CannotTranscribe, TryAgain."""
        segments: list[Segment] = []
        began, spoken = 0.0, language
        async with aiohttp.ClientSession(headers=self._headers, timeout=self._timeout, trust_env=False) as session:
            async for piece in pieces(audio):
                answer = await self._ask(session, piece, language)
                length = len(piece) / BYTES_A_SECOND
                segments += _segments(answer, began, length)
                began += length
                spoken = spoken or _named(answer.language)
                progress(began)
        return Heard(_in_order(segments), spoken)

    async def _ask(self, session: aiohttp.ClientSession, piece: bytes, language: str | None) -> Answer:
        try:
            async with session.post(self._url, data=self._form(piece, language), allow_redirects=False) as response:
                body = await response.content.read(MOST_OF_AN_ANSWER)
                while more := await response.content.read(MOST_OF_AN_ANSWER):
                    body += more
                    if len(body) > MOST_OF_AN_ANSWER:
                        raise TryAgain("The transcription server answered more than can be.")
        except TimeoutError:
            raise TryAgain("The transcription server did not answer in time.") from None
        except (aiohttp.ClientError, OSError):
            raise TryAgain("The transcription server cannot be reached.") from None
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


def _read(status: int, body: bytes) -> Answer:
    if status >= 500 or status in BUSY:
        raise TryAgain(f"The transcription server answered {status}.")
    if status in (401, 403):
        raise CannotTranscribe(f"The transcription server refused the key ({status}).")
    if not 200 <= status < 300:
        raise CannotTranscribe(f"The transcription server refused the request ({status}).")
    try:
        return msgspec.json.decode(body, type=Answer)
    except msgspec.DecodeError:
        raise TryAgain("The transcription server did not answer as its API says.") from None


def _segments(answer: Answer, began: float, length: float) -> list[Segment]:
    """The segments of a piece that begins at `began`; where the server gives none, its text in parts."""
    found = _spread(answer.text, length) if answer.segments is None else answer.segments
    return [
        Segment(start=began + max(each.start, 0.0), end=began + each.end, text=each.text)
        for each in found
        if max(each.start, 0.0) + 0.001 <= each.end
    ]


def _spread(text: str, length: float) -> list[Said]:
    """Text without times, in parts that are as long as their share of it."""
    parts = textwrap.wrap(text, PART)
    ends = [at / (sum(map(len, parts)) or 1) * length for at in accumulate(map(len, parts))]
    return [Said(start, end, part) for start, end, part in zip([0.0, *ends], ends, parts, strict=False)]


def _in_order(segments: list[Segment]) -> list[Segment]:
    return sorted(segments, key=lambda each: each.start)


def _named(language: str | None) -> str | None:
    """The server's word for the language, where it is a code; some answer `english`, which is none."""
    return language if language and len(language) in (2, 3) and language.isascii() and language.isalpha() else None


async def pieces(audio: Audio, seconds: int = PIECE) -> AsyncIterator[bytes]:
    """The sound in pieces of at most so many seconds."""
    held = bytearray()
    async for chunk in audio.chunks():
        held += chunk
        while len(held) > seconds * BYTES_A_SECOND:
            cut = await asyncio.to_thread(quietest, bytes(held[: seconds * BYTES_A_SECOND]))
            yield bytes(held[:cut])
            del held[:cut]
    if held:
        yield bytes(held)


def quietest(sound: bytes) -> int:
    """Where to cut, in bytes: in the middle of the quietest fifth of a second near the end."""
    samples = array("h", sound[: len(sound) // 2 * 2])
    first = max(len(samples) - LOOKED_AT * RATE, len(samples) // 2)
    starts = range(first, len(samples) - WINDOW, WINDOW // 2)
    loudness = {at: sum(map(abs, samples[at : at + WINDOW])) for at in starts}
    return 2 * (min(loudness, key=loudness.__getitem__) + WINDOW // 2) if loudness else len(sound)


def as_wav(sound: bytes) -> bytes:
    """Sound with the header of a WAV file."""
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(sound)
    return out.getvalue()
