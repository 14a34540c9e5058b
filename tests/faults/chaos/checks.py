"""Check the record of a run against the promises."""

from collections import Counter
from typing import Any

from tests.conftest import Api
from tests.faults.chaos.record import Record
from tests.messages.walk import messages_of, walk

Message = dict[str, Any]


def check(api: Api, record: Record) -> None:
    """Add every broken promise to the violations of `record`. The server must be up and no client sending."""
    messages = messages_of(walk(api.person, api.room_id, limit=200))
    record.violations += [
        *_of_the_walk(messages, record),
        *_of_replies(messages),
        *_of_deliveries(messages, record),
    ]
    record.stream_violations += _of_streams(messages, record)


def _of_the_walk(messages: list[Message], record: Record) -> list[str]:
    found = {each["message_id"]: each["text"] for each in messages}
    ids = [each["message_id"] for each in messages]
    broken = [] if ids == sorted(set(ids), reverse=True) else ["the walk is out of order"]
    for message_id, text in record.acknowledged.items():
        if found.get(message_id) != text:
            broken.append(f"{message_id} was acknowledged as {text!r}; the walk has {found.get(message_id)!r}")
    twice = Counter(each["text"] for each in messages)
    broken += [f"{text!r} is there {count} times" for text, count in twice.items() if count > 1]
    orders = record.in_order.items()
    return broken + [f"the messages of sender {name} changed order" for name, sent in orders if sent != sorted(sent)]


def _of_replies(messages: list[Message]) -> list[str]:
    replies = Counter(each["thread_root_id"] for each in messages if each["thread_root_id"])
    return [
        f"{each['message_id']} says {each['reply_count']} replies and has {replies[each['message_id']]}"
        for each in messages
        if each["reply_count"] != replies[each["message_id"]]
    ]


def _of_deliveries(messages: list[Message], record: Record) -> list[str]:
    counts = {each["message_id"]: len(record.delivery_ids[each["message_id"]]) for each in messages}
    broken = [f"{message_id} was delivered under {count} ids" for message_id, count in counts.items() if count != 1]
    return broken + [f"delivery {one} came with several bodies" for one, all_ in record.bodies.items() if len(all_) > 1]


def _of_streams(messages: list[Message], record: Record) -> list[str]:
    ids = [each["message_id"] for each in messages]
    return [
        f"stream {stream.number} missed {each}"
        for stream in record.streams
        for each in ids
        if each >= stream.first_received and not stream.knows(each)
    ]
