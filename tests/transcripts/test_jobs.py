"""Background transcription: the result is published once and completely, even if workers stop in the middle."""

import asyncio
import json
from contextlib import suppress
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from aiohttp import web

from atrium.kit.settings import Settings
from atrium.transcripts.actions import SUPERSEDED, NewTranscript, cancel_transcription, publish
from atrium.transcripts.jobs import MAX_ATTEMPTS, NO_ROOM
from atrium.transcripts.model import Segment
from atrium.transcripts.reading import Origin
from atrium.webhooks.model import SubscriptionType
from tests.faults.no_room import database_to_fill
from tests.transcripts.harness import add_recording, hello, job, request_transcription, stored_versions, transcriber
from tests.transcripts.server import ReceivedRequest, running_transcriber
from tests.webhooks.harness import Harness, with_harness
from tests.webhooks.receiver import assert_verified


async def subscribe(harness: Harness) -> dict[str, Any]:
    wanted = {
        "subject_type": "WEBHOOK_SUBJECT_TYPE_ROOM",
        "subject_id": harness.made["room_id"],
        "subscription_type": SubscriptionType["TRANSCRIPT_PUBLISHED"],
    }
    return await harness.subscribe(subscriptions=[wanted])


async def put_by_hand(harness: Harness, recording_id: UUID) -> None:
    place = UUID(harness.made["room_id"]), recording_id
    async with harness.db.transaction():
        await cancel_transcription(harness.db, place, harness.clock())
        transcript = NewTranscript([Segment(start=0.0, end=1.0, text="By hand")], Origin.PUT)
        await publish(harness.db, place, transcript, harness.clock())


def test_a_transcription_is_published_with_one_event(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await subscribe(harness)
        recording_id = await add_recording(harness)
        await request_transcription(harness, recording_id, "en")
        async with running_transcriber(hello) as (url, requests), transcriber(harness, url) as worker:
            assert await worker.transcribe_next()
            assert not await worker.transcribe_next()
            assert requests[0].sound == b"\x10\x00" * 16_000
            [version] = await stored_versions(harness, recording_id)
            assert json.loads(version["segments"]) == [
                {"start": 0.0, "end": 0.5, "speaker": None, "text": "Hello."},
                {"start": 0.5, "end": 1.0, "speaker": None, "text": "Bye."},
            ]
            assert (version["origin"], version["created_by"], version["language"]) == ("transcriber", None, "en")
            assert ((await job(harness, recording_id))["status"], (await job(harness, recording_id))["progress"]) == (
                "done",
                1,
            )
            assert await harness.worker.deliver_due() == 1
            [received] = harness.receiver.received
            assert_verified(received, webhook["secret"])
            event = json.loads(received.body)
            assert (event["event_type"], event["data"]["recording_id"]) == (
                "room_recording_transcript_published",
                str(recording_id),
            )
            harness.pass_time(minutes=1)
            await request_transcription(harness, recording_id)
            assert await worker.transcribe_next()
            assert [each["version"] for each in await stored_versions(harness, recording_id)] == [1, 2]
            assert await harness.worker.deliver_due() == 0

    with_harness(settings, act)


@pytest.mark.contract("Transcripts 9")
def test_failures_are_retried_with_pauses_and_then_show_the_reason(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        recording_id = await add_recording(harness)
        await request_transcription(harness, recording_id)
        async with (
            running_transcriber(lambda _: web.Response(status=503)) as (url, requests),
            transcriber(harness, url) as worker,
        ):
            for attempt, pause in enumerate([timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30)], 1):
                assert await worker.transcribe_next()
                now = await job(harness, recording_id)
                assert (now["status"], now["attempts"], now["due_at"]) == ("waiting", attempt, harness.clock() + pause)
                assert now["reason"] == "The transcription server returned HTTP 503."
                harness.clock.at += pause - timedelta(milliseconds=1)
                assert not await worker.transcribe_next()
                harness.clock.at += timedelta(milliseconds=1)
            assert await worker.transcribe_next()
            ended = await job(harness, recording_id)
            assert (ended["status"], ended["reason"]) == ("failed", "The transcription server returned HTTP 503.")
            assert len(requests) == MAX_ATTEMPTS
            assert await stored_versions(harness, recording_id) == []
            await request_transcription(harness, recording_id)
            assert (await job(harness, recording_id))["status"] == "waiting"

    with_harness(settings, act)


@pytest.mark.contract("Crashes and restarts 7")
def test_a_transcription_waits_for_room_as_long_as_it_takes(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        recording_id = await add_recording(harness)
        await request_transcription(harness, recording_id)
        url = harness.settings.database_url or ""
        with database_to_fill(url, "transcript_versions") as database:
            database.fill()
            async with running_transcriber(hello) as (server, _), transcriber(harness, server) as worker:
                for _ in range(MAX_ATTEMPTS + 1):
                    assert await worker.transcribe_next()
                    now = await job(harness, recording_id)
                    assert (now["status"], now["attempts"], now["reason"]) == ("waiting", 0, NO_ROOM)
                    assert not await worker.transcribe_next()
                    harness.clock.at = now["due_at"]
                database.make_room()
                assert await worker.transcribe_next()
        assert len(await stored_versions(harness, recording_id)) == 1

    with_harness(settings, act)


@pytest.mark.parametrize(
    ("media", "status", "words"),
    [
        (b"no media at all" * 99, 200, "cannot be decoded"),
        (None, 401, "rejected the key"),
        (None, 204, "no speech"),
    ],
    ids=["text", "key", "silence"],
)
def test_what_cannot_be_transcribed_fails_without_a_retry(
    settings: Settings, media: bytes | None, status: int, words: str
) -> None:
    async def act(harness: Harness) -> None:
        recording_id = await add_recording(harness, media) if media else await add_recording(harness)
        await request_transcription(harness, recording_id)
        empty = web.json_response({"text": "", "segments": []})
        answer = empty if status == 204 else web.Response(status=status)
        async with running_transcriber(lambda _: answer) as (url, _), transcriber(harness, url) as worker:
            assert await worker.transcribe_next()
            ended = await job(harness, recording_id)
            assert ended["status"] == "failed"
            assert words in ended["reason"]

    with_harness(settings, act)


@pytest.mark.contract("Transcripts 11")
def test_a_transcript_that_a_person_adds_meanwhile_wins(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        recording_id = await add_recording(harness)
        await request_transcription(harness, recording_id)

        async def answer(_: ReceivedRequest) -> web.Response:
            await put_by_hand(harness, recording_id)
            return hello()

        async with running_transcriber(answer) as (url, _), transcriber(harness, url) as worker:
            assert await worker.transcribe_next()
        assert [each["origin"] for each in await stored_versions(harness, recording_id)] == ["put"]
        ended = await job(harness, recording_id)
        assert (ended["status"], ended["reason"]) == ("done", SUPERSEDED)

    with_harness(settings, act)


def test_a_transcript_added_before_the_claim_cancels_the_job(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        recording_id = await add_recording(harness)
        await request_transcription(harness, recording_id)
        await put_by_hand(harness, recording_id)
        async with running_transcriber(hello) as (url, requests), transcriber(harness, url) as worker:
            assert not await worker.transcribe_next()
            assert requests == []

    with_harness(settings, act)


def test_a_recording_deleted_meanwhile_gets_no_transcript(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        webhook = await subscribe(harness)
        recording_id = await add_recording(harness)
        await request_transcription(harness, recording_id)

        async def answer(_: ReceivedRequest) -> web.Response:
            await harness.db.execute("update recordings set deleted_at = now() where recording_id = $1", recording_id)
            return hello()

        async with running_transcriber(answer) as (url, _), transcriber(harness, url) as worker:
            assert await worker.transcribe_next()
        assert await stored_versions(harness, recording_id) == []
        assert await job(harness, recording_id) is None
        assert await harness.log(webhook) == []

    with_harness(settings, act)


@pytest.mark.contract("Transcripts 10")
def test_an_expired_claim_is_due_again_and_its_late_result_is_dropped(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        recording_id = await add_recording(harness)
        await request_transcription(harness, recording_id)
        first_request, go_on = asyncio.Event(), asyncio.Event()

        async def answer(_: ReceivedRequest) -> web.Response:
            if not first_request.is_set():
                first_request.set()
                await go_on.wait()
                return web.json_response({"text": "late", "segments": [{"start": 0, "end": 1, "text": "late"}]})
            return hello()

        async with (
            running_transcriber(answer) as (url, _),
            transcriber(harness, url) as one,
            transcriber(harness, url) as other,
        ):
            late = asyncio.create_task(one.transcribe_next())
            await first_request.wait()
            assert not await other.transcribe_next()
            harness.pass_time(seconds=60)
            assert await other.transcribe_next()
            assert (await job(harness, recording_id))["attempts"] == 2
            go_on.set()
            assert await late
        [version] = await stored_versions(harness, recording_id)
        assert "late" not in version["segments"]

    with_harness(settings, act)


def test_a_worker_that_stops_returns_its_work_to_the_queue(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        recording_id = await add_recording(harness)
        await request_transcription(harness, recording_id)
        requested = asyncio.Event()

        async def never(_: ReceivedRequest) -> web.Response:
            requested.set()
            await asyncio.sleep(600)
            return hello()

        async with running_transcriber(never) as (url, _), transcriber(harness, url) as worker:
            running = asyncio.create_task(worker.run())
            await requested.wait()
            assert (await job(harness, recording_id))["status"] == "running"
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
        waiting = await job(harness, recording_id)
        assert (waiting["status"], waiting["attempts"], waiting["due_at"]) == ("waiting", 0, harness.clock())

    with_harness(settings, act)


@pytest.mark.contract("Transcripts 9")
@pytest.mark.parametrize("limit", [1, 2])
def test_the_number_of_concurrent_transcriptions_is_limited(settings: Settings, limit: int) -> None:
    async def act(harness: Harness) -> None:
        found = [await add_recording(harness) for _ in range(4)]
        for recording_id in found:
            await request_transcription(harness, recording_id)
        now, highest, limit_reached = 0, 0, asyncio.Event()

        async def answer(_: ReceivedRequest) -> web.Response:
            nonlocal now, highest
            now += 1
            highest = max(highest, now)
            if now == limit:
                limit_reached.set()
            await limit_reached.wait()
            await asyncio.sleep(0.05)
            now -= 1
            return hello()

        async with (
            running_transcriber(answer) as (url, _),
            transcriber(harness, url, transcription_jobs=limit) as worker,
        ):
            running = asyncio.create_task(worker.run())
            while await harness.db.fetchval("select count(*) from transcriptions where status <> 'done'"):
                await asyncio.sleep(0.05)
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
        assert highest == limit
        assert [len(await stored_versions(harness, recording_id)) for recording_id in found] == [1] * 4

    with_harness(settings, act)


def test_a_recording_that_stops_its_workers_repeatedly_fails(settings: Settings) -> None:
    async def act(harness: Harness) -> None:
        recording_id = await add_recording(harness)
        await request_transcription(harness, recording_id)
        await harness.db.execute("update transcriptions set status = 'running', attempts = $1", MAX_ATTEMPTS)
        async with running_transcriber(hello) as (url, requests), transcriber(harness, url) as worker:
            assert await worker.transcribe_next()
            assert requests == []
        ended = await job(harness, recording_id)
        assert (ended["status"], ended["reason"]) == ("failed", "The transcription stopped unexpectedly several times.")

    with_harness(settings, act)
