"""Recognize speech with PocketSphinx, in its own process: audio on standard input, one segment per output line.

Run as `python -m atrium.transcripts.recognizer`. The audio is mono, 16,000 samples per second of 16 bits.
"""

import sys
from collections.abc import Iterable, Iterator
from typing import BinaryIO

import msgspec
from pocketsphinx import Decoder, Endpointer

from atrium.transcripts.engine import RATE
from atrium.transcripts.model import Segment

FRAMES_PER_SECOND = 100
MAX_DURATION = 30.0  # seconds of speech to recognize together if there is no pause
PAUSE = 40  # frames without a word after which a segment ends
LONG_SEGMENT = 12.0  # seconds after which a segment ends at the next word
Word = tuple[str, float, float]


def recognize(audio: BinaryIO) -> Iterator[Segment]:
    """Yield the segments of the audio in order."""
    decoder = Decoder(samprate=RATE, loglevel="FATAL", dither=True)
    for start, speech in utterances(audio):
        decoder.start_utt()
        decoder.process_raw(speech, full_utt=True)
        decoder.end_utt()
        found = decoder.seg() or ()
        yield from segments(words((word.word, word.start_frame, word.end_frame) for word in found), start)


def utterances(audio: BinaryIO) -> Iterator[tuple[float, bytes]]:
    """Yield the start in seconds and the audio of each stretch of speech, split at pauses or after 30 seconds."""
    endpointer = Endpointer(sample_rate=RATE)
    speech, start = bytearray(), 0.0
    while frame := audio.read(endpointer.frame_bytes):
        was_speech = endpointer.in_speech
        is_full = len(frame) == endpointer.frame_bytes
        part = endpointer.process(frame) if is_full else endpointer.end_stream(frame) if was_speech else None
        if part is None:
            continue
        if not was_speech:
            start = endpointer.speech_start
        speech += part
        if not endpointer.in_speech or len(speech) >= MAX_DURATION * 2 * RATE:
            yield start, bytes(speech)
            start += len(speech) / (2 * RATE)
            speech.clear()
    if speech:
        yield start, bytes(speech)


def words(found: Iterable[tuple[str, int, int]]) -> Iterator[Word]:
    """Yield the words without silence and noise; `read(2)` is an alternative pronunciation of `read`."""
    for word, first, last in found:
        if not word.startswith(("<", "[", "+")):
            yield word.partition("(")[0], first / FRAMES_PER_SECOND, (last + 1) / FRAMES_PER_SECOND


def segments(spoken: Iterable[Word], start: float) -> Iterator[Segment]:
    """Yield the words of an utterance in segments of readable length, split at pauses."""
    pending: list[Word] = []
    for word in spoken:
        pause = word[1] - pending[-1][2] if pending else 0.0
        if pending and (pause >= PAUSE / FRAMES_PER_SECOND or word[1] - pending[0][1] >= LONG_SEGMENT):
            yield _segment(pending, start)
            pending = []
        pending.append(word)
    if pending:
        yield _segment(pending, start)


def _segment(pending: list[Word], start: float) -> Segment:
    text = " ".join(word for word, _, _ in pending)
    return Segment(start=round(start + pending[0][1], 3), end=round(start + pending[-1][2], 3), text=text)


if __name__ == "__main__":
    for segment in recognize(sys.stdin.buffer):
        sys.stdout.buffer.write(msgspec.json.encode(segment) + b"\n")
        sys.stdout.buffer.flush()
