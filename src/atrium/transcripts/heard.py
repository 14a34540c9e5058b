"""What PocketSphinx hears, in a process of its own: sound comes on the standard input, a segment a line goes out.

`python -m atrium.transcripts.heard`; 16,000 samples a second of 16 bits, mono.
"""

import sys
from collections.abc import Iterable, Iterator
from typing import BinaryIO

import msgspec
from pocketsphinx import Decoder, Endpointer

from atrium.transcripts.engine import RATE
from atrium.transcripts.model import Segment

FRAMES_A_SECOND = 100
LONGEST = 30.0  # seconds that are listened to at once, where nobody pauses
PAUSE = 40  # frames without a word that end a segment
LONG = 12.0  # seconds from which on a segment ends at the next pause, however short
Word = tuple[str, float, float]


def listen(sound: BinaryIO) -> Iterator[Segment]:
    """The segments of a sound, one after the other."""
    decoder = Decoder(samprate=RATE, loglevel="FATAL", dither=True)
    for began, speech in utterances(sound):
        decoder.start_utt()
        decoder.process_raw(speech, full_utt=True)
        decoder.end_utt()
        found = decoder.seg() or ()
        yield from segments(words((each.word, each.start_frame, each.end_frame) for each in found), began)


def utterances(sound: BinaryIO) -> Iterator[tuple[float, bytes]]:
    """What may be speech: when it begins, in seconds, and its sound; cut at pauses, or at half a minute."""
    endpointer = Endpointer(sample_rate=RATE)
    speech, began = bytearray(), 0.0
    while frame := sound.read(endpointer.frame_bytes):
        was_speech = endpointer.in_speech
        whole = len(frame) == endpointer.frame_bytes
        part = endpointer.process(frame) if whole else endpointer.end_stream(frame) if was_speech else None
        if part is None:
            continue
        if not was_speech:
            began = endpointer.speech_start
        speech += part
        if not endpointer.in_speech or len(speech) >= LONGEST * 2 * RATE:
            yield began, bytes(speech)
            began += len(speech) / (2 * RATE)
            speech.clear()
    if speech:
        yield began, bytes(speech)


def words(found: Iterable[tuple[str, int, int]]) -> Iterator[Word]:
    """What was said, without silences and noises; `read(2)` is another way to say `read`."""
    for word, first, last in found:
        if not word.startswith(("<", "[", "+")):
            yield word.partition("(")[0], first / FRAMES_A_SECOND, (last + 1) / FRAMES_A_SECOND


def segments(said: Iterable[Word], began: float) -> Iterator[Segment]:
    """The words of an utterance in segments that can be read, cut where there is a pause."""
    held: list[Word] = []
    for word in said:
        pause = word[1] - held[-1][2] if held else 0.0
        if held and (pause >= PAUSE / FRAMES_A_SECOND or word[1] - held[0][1] >= LONG):
            yield _segment(held, began)
            held = []
        held.append(word)
    if held:
        yield _segment(held, began)


def _segment(held: list[Word], began: float) -> Segment:
    text = " ".join(word for word, _, _ in held)
    return Segment(start=round(began + held[0][1], 3), end=round(began + held[-1][2], 3), text=text)


if __name__ == "__main__":
    for segment in listen(sys.stdin.buffer):
        sys.stdout.buffer.write(msgspec.json.encode(segment) + b"\n")
        sys.stdout.buffer.flush()
