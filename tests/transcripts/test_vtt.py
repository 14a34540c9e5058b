"""Read and write WebVTT; an error names the invalid cue."""

from contextlib import suppress

import pytest
import webvtt
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from atrium.transcripts.model import InvalidSegment, Segment, normalized, validated
from atrium.transcripts.vtt import InvalidVtt, read_vtt, write_vtt

HEAD = "WEBVTT\n\n"
CHARACTERS = st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from("<>&;-v /\n\r\t \u0338\u2028#"))
TEXTS = st.text(CHARACTERS, max_size=40)
TIMES = st.integers(0, 360_000_000)
without_deadline = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def transcripts(draw: st.DrawFn) -> list[Segment]:
    starts = sorted(draw(st.lists(st.integers(0, 359_000_000), max_size=8)))
    return [
        Segment(
            start=ms / 1000,
            end=(ms + draw(st.integers(1, 1_000_000))) / 1000,
            speaker=draw(st.none() | TEXTS),
            text=draw(TEXTS),
        )
        for ms in starts
    ]


def read(text: str) -> list[Segment]:
    return validated(read_vtt(text)[0])


def voices(text: str) -> list[tuple[str | None, str]]:
    return [(each.speaker, each.text) for each in read(HEAD + "00:01.000 --> 00:02.000\n" + text)]


@pytest.mark.contract("Transcripts 1")
@without_deadline
@given(transcripts())
def test_a_written_file_is_read_unchanged(segments: list[Segment]) -> None:
    valid = validated(segments)
    assert read(write_vtt(valid)) == valid


@pytest.mark.contract("Transcripts 1")
@without_deadline
@given(transcripts())
def test_another_library_reads_a_written_file(segments: list[Segment]) -> None:
    valid = validated(segments)
    captions = webvtt.from_string(write_vtt(valid), strict=True)
    assert [(each.start_in_seconds, len(each.lines)) for each in captions.captions] == [
        (int(each.start), len(each.text.split("\n"))) for each in valid
    ]


@without_deadline
@given(transcripts())
def test_validation_does_not_change_valid_segments(segments: list[Segment]) -> None:
    valid = validated(segments)
    assert validated(valid) == valid


@without_deadline
@given(TEXTS)
def test_normalization_is_idempotent(text: str) -> None:
    result = normalized(text)
    assert normalized(result) == result
    assert all(line == line.strip() and line for line in result.split("\n") if result)


@without_deadline
@given(TEXTS)
def test_any_text_is_read_or_rejected(text: str) -> None:
    for document in (text, HEAD + text, HEAD + "00:01.000 --> 00:02.000\n" + text):
        with suppress(InvalidVtt, InvalidSegment):
            read(document)


@without_deadline
@given(TIMES, TIMES)
def test_an_end_that_is_not_after_its_start_is_rejected(start: int, end: int) -> None:
    segment = Segment(start=start / 1000, end=end / 1000, text="x")
    if end > start:
        assert validated([segment]) == [segment]
    else:
        with pytest.raises(InvalidSegment) as error:
            validated([segment])
        assert (error.value.nr, error.value.field) == (1, "end")


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        ("hello", [(None, "hello")]),
        ("<v Ada>hello</v>", [("Ada", "hello")]),
        ("<v.loud Ada Lovelace>hello <b>there</b>", [("Ada Lovelace", "hello there")]),
        ("<v Ada>yes<v Bob>no", [("Ada", "yes"), ("Bob", "no")]),
        ("<v Ada>yes</v>\n<v Bob>no</v> both", [("Ada", "yes"), ("Bob", "no"), (None, "both")]),
        ("<v A&amp;B>x &lt;b&gt; &amp; y", [("A&B", "x <b> & y")]),
        ("<c.yellow><00:01.500>karaoke</c> <i>x", [(None, "karaoke x")]),
        ("<script>alert(1)</script>", [(None, "alert(1)")]),
        ("&lt;img src=x onerror=alert(1)&gt;", [(None, "<img src=x onerror=alert(1)>")]),
        ("two\nlines", [(None, "two\nlines")]),
        ("open < tag", [(None, "open")]),
        ("<v>x", [(None, "x")]),
        ("<video>x", [(None, "x")]),
        ("", []),
        ("<v Ada></v>", []),
    ],
)
def test_voices_become_speakers_and_other_tags_are_dropped(
    payload: str, expected: list[tuple[str | None, str]]
) -> None:
    assert voices(payload) == expected


def test_markup_in_text_is_escaped_when_it_is_written() -> None:
    written = write_vtt([Segment(start=0, end=1, speaker="<i>", text="<script>x</script> & --> y")])
    assert "<v &lt;i&gt;>&lt;script&gt;x&lt;/script&gt; &amp; --&gt; y" in written


def test_a_file_from_another_tool_is_read() -> None:
    text = (
        "\ufeffWEBVTT - A meeting\r\nKind: captions\r\nLanguage: en\r\n\r\nSTYLE\r\n::cue { color: red }\r\n\r\n"
        "NOTE by hand\r\n\r\nintro\r\n00:00.000 --> 00:01.000 line:-1 align:start\r\n<v Ada>Hi\r\n\r\n\r\n"
        "01:00:00.000-->01:00:02.500\r\nBye\r\n"
    )
    assert read(text) == [
        Segment(start=0.0, end=1.0, speaker="Ada", text="Hi"),
        Segment(start=3600.0, end=3602.5, text="Bye"),
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "starts with the line WEBVTT"),
        ("1\n00:01.000 --> 00:02.000\nx", "starts with the line WEBVTT"),
        ("WEBVTTX\n\n00:01.000 --> 00:02.000\nx", "starts with the line WEBVTT"),
        (HEAD + "0:1.0 --> 00:02.000\nx", "cue 1 has no times"),
        (HEAD + "00:01.000 --> 00:99.000\nx", "cue 1 has no times"),
        (HEAD + "00:01.000 --> 00:02.000\nx\n\nonly words\nhere", "cue 2 has no times"),
        (HEAD + "00:01.00 --> 00:02.000\nx", "cue 1 has no times"),
        (HEAD + "NOTE x\n\n00:01.000 -> 00:02.000\nx", "cue 1 has no times"),
        ('{"text": "no transcript"}', "starts with the line WEBVTT"),
    ],
)
def test_an_error_in_vtt_names_its_cue(text: str, words: str) -> None:
    with pytest.raises(InvalidVtt, match=words):
        read_vtt(text)


CUE, NEXT = "00:01.000 --> 00:02.000\nx", "00:02.000 --> 00:03.000\ny"


@pytest.mark.contract("Transcripts 3")
@pytest.mark.parametrize(
    "text",
    [
        f"WEBVTT\n\n{CUE}\n\n{NEXT}\n",
        f"WEBVTT\n\n{CUE}\n\n{NEXT}",
        f"\ufeffWEBVTT - a title\n\n{CUE}\n\n{NEXT}",
        f"WEBVTT\n{CUE}\n\n{NEXT}",
        f"WEBVTT\nKind: captions\n{CUE}\n{NEXT}",
        f"WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n\n{CUE}\n{NEXT}",
        f"WEBVTT\r\n\r\n{CUE}\r\n\r\n{NEXT}\r\n".replace("\n", "\r\n").replace("\r\r", "\r"),
        f"WEBVTT\n\n{CUE}\n\n{NEXT}\n".replace("\n", "\r"),
        f"WEBVTT\n\n\n\n{CUE}\n\n\n{NEXT}\n\n\n",
        f"WEBVTT\n\nREGION\nid:fred\n\nSTYLE\n::cue {{}}\n\nNOTE\nby hand\n\n{CUE}\n\nNOTE done\n\n{NEXT}",
        f"WEBVTT\n\n1\n{CUE}\n\nlast words\n{NEXT}",
        f"WEBVTT\n\n{NEXT}\n\n{CUE}",
        "WEBVTT\n\n0:00:01.000 --> 0:00:02.000\nx\n\n00:00:02.000 --> 000:00:03.000\ny",
        "WEBVTT\n\n00:01,000 --> 00:02,000\nx\n\n00:00:02,000 --> 00:00:03,000\ny",
        "WEBVTT\n\n00:01.000 --> 00:02.000 align:start position:0% nonsense\nx\n\n00:02.000-->00:03.000\ty:1\ny",
    ],
)
def test_what_players_read_is_read(text: str) -> None:
    assert [(each.start, each.end, each.text) for each in read(text)] == [(1.0, 2.0, "x"), (2.0, 3.0, "y")]


@pytest.mark.contract("Transcripts 3")
@without_deadline
@given(st.permutations(range(6)))
def test_cues_in_any_order_become_segments_by_their_starts(order: list[int]) -> None:
    """Cues that start together stay in the order of the file."""
    cues = [f"00:0{nr // 2}.000 --> 00:09.000\n{nr}" for nr in order]
    segments, numbers = read_vtt(HEAD + "\n\n".join(cues))
    assert [int(each.text) // 2 for each in segments] == [0, 0, 1, 1, 2, 2]
    assert [order[nr - 1] for nr in numbers] == [int(each.text) for each in segments]
    assert all(one < two for one, two in zip(numbers[::2], numbers[1::2], strict=True))


@pytest.mark.contract("Transcripts 3")
def test_a_cue_without_length_keeps_its_words() -> None:
    assert read(HEAD + "00:01.000 --> 00:01.000\nx") == [Segment(start=1.0, end=1.001, text="x")]


@pytest.mark.contract("Transcripts 2")
def test_starts_must_not_decrease_and_segments_may_overlap() -> None:
    overlapping = HEAD + "00:01.000 --> 00:05.000\na\n\n00:02.000 --> 00:03.000\nb\n\n00:02.000 --> 00:09.000\nc\n"
    assert [each.text for each in read(overlapping)] == ["a", "b", "c"]
    with pytest.raises(InvalidSegment, match="starts at 1 s, before the previous segment") as error:
        validated([Segment(start=2, end=5, text="a"), Segment(start=1, end=3, text="b")])
    assert error.value.nr == 2


def test_an_empty_cue_needs_valid_times() -> None:
    with pytest.raises(InvalidSegment):
        read(HEAD + "00:02.000 --> 00:01.000\n<b></b>\n")


def test_a_long_header_is_read_in_one_pass() -> None:
    [segment] = read("WEBVTT\n" + "x\n" * 1_000_000 + "\n00:01.000 --> 00:02.000\na\n")  # else it takes hours
    assert segment.text == "a"
