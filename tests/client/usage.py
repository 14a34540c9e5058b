"""A user's program with the client: type-checked by mypy and pyright in strict mode, and run."""

# pyright: strict
import asyncio
import os
from collections.abc import Sequence
from datetime import datetime
from typing import assert_type
from uuid import UUID

from atrium.client import (
    AsyncAtrium,
    Atrium,
    InvalidSignature,
    Message,
    NotFound,
    Position,
    Retries,
    webhook_types,
    webhooks,
)


def history(atrium: Atrium, room_id: str, stored: str | None) -> list[str]:
    """Return the texts in the room, from where an earlier run stopped."""
    room = atrium.room(room_id)
    before = Position.parse(stored) if stored else None
    texts: list[str] = []
    for message in room.messages(before=before):
        assert_type(message, Message)
        assert_type(message.sent_at, datetime)
        assert_type(message.thread_root_id, UUID | None)
        texts.append(message.text)
    return texts


def answer(atrium: Atrium, room_id: str) -> Message:
    """Ask a question and reply in its thread."""
    question = atrium.room(room_id).send("Who is there?", idempotency_key="asked-once")
    return atrium.room(room_id).thread(question.message_id).send("I am.")


def alert(atrium: Atrium, room_id: str) -> str:
    """Create, list and revoke an incoming webhook; return its name."""
    urls = atrium.room(room_id).incoming_webhooks()
    made = assert_type(urls.create("Grafana"), webhook_types.NewIncomingWebhook)
    (listed,) = [assert_type(each, webhook_types.IncomingWebhook) for each in urls.list()]
    urls.revoke(listed.incoming_webhook_id)
    return made.name if made.url.endswith(listed.last_four) else ""


def reason(atrium: Atrium, room_id: str) -> str:
    """Return the error code for a room that cannot be read."""
    try:
        return atrium.room(room_id).read().name
    except NotFound as error:
        return assert_type(error.problem.code, str)


def room_of_event(secret: str, body: bytes, headers: dict[str, str]) -> str | None:
    """Return the id of the room that an event is about."""
    try:
        event = webhooks.verify(secret, body, headers)
    except InvalidSignature:
        return None
    return str(assert_type(event.subject.id, UUID))


async def replies(url: str, key: str, room_id: str, root_id: UUID) -> Sequence[Message]:
    """Return the replies of a thread, asynchronously."""
    async with AsyncAtrium(url, key, retries=Retries(attempts=3)) as atrium:
        assert_type(atrium, AsyncAtrium)
        found = [assert_type(each, Message) async for each in atrium.room(room_id).thread(root_id).messages()]
        async for event in atrium.events(room_id=room_id):
            assert_type(event.message, Message | None)
            break
        return found


def main() -> None:
    """Run all of the above once."""
    url, key, room_id = os.environ["ATRIUM_URL"], os.environ["ATRIUM_KEY"], os.environ["ATRIUM_ROOM"]
    with Atrium(url, key) as atrium:
        replied = answer(atrium, room_id)
        assert replied.thread_root_id is not None
        texts = history(atrium, room_id, None)
        assert texts[1:] == history(atrium, room_id, str(replied.position))
        print(texts, reason(atrium, "00000000-0000-0000-0000-000000000000"))
        for organization in atrium.organizations():
            made = atrium.webhooks(organization.organization_id).list()
            print([assert_type(each, webhook_types.Webhook).name for each in made])
        print(alert(atrium, room_id))
    print(len(asyncio.run(replies(url, key, room_id, replied.thread_root_id))))
    print(room_of_event("whsec_AAAA", b"{}", {}))


if __name__ == "__main__":
    main()
