"""The files of a room: those of its messages, threads and page, newest first."""

import pytest

from tests.attachments.files import attach, metadata_of
from tests.conftest import Api


def names(api: Api, **query: str | int) -> list[str]:
    answer = api.person.get(f"/v2/rooms/{api.room_id}/attachments", params=query)
    assert answer.status_code == 200, answer.text
    return [each["name"] for each in answer.json()["attachments"]]


@pytest.mark.contract("Recordings and attachments 15")
def test_the_files_of_messages_replies_and_the_page_are_listed_newest_first(api: Api) -> None:
    files = {name: attach(api, name.encode(), name=name) for name in ("a.txt", "b.txt", "c.txt", "unsent.txt")}
    root = api.send(attachments=[files["a.txt"]["attachment_id"]])
    reply = api.send(attachments=[files["b.txt"]["attachment_id"]], parent_id=root["message_id"])
    content = {
        "attachment_id": files["c.txt"]["attachment_id"],
        "url": "https://a.example/c",
        "name": "c.txt",
        "size": 5,
    }
    block = api.person.post(f"/v2/rooms/{api.room_id}/blocks", json={"type": "file", "content": content})
    assert block.status_code == 201, block.text
    answer = api.person.get(f"/v2/rooms/{api.room_id}/attachments").json()
    page, in_thread, first = answer["attachments"]
    assert answer["next_cursor"] is None
    assert (page["name"], page["block_id"], page["message_id"]) == ("c.txt", block.json()["block_id"], None)
    assert (in_thread["message_id"], in_thread["thread_root_id"]) == (reply["message_id"], root["message_id"])
    places = {"message_id": root["message_id"], "thread_root_id": None, "block_id": None}
    made = {"created_by": api.person_id, "created_at": first["created_at"]}
    assert first == metadata_of(files["a.txt"]) | places | made


@pytest.mark.contract("Recordings and attachments 15")
def test_files_are_listed_in_pages(api: Api) -> None:
    for nr in range(5):
        api.send(attachments=[attach(api, b"x", name=f"{nr}.txt")["attachment_id"]])
    path = f"/v2/rooms/{api.room_id}/attachments"
    found, cursor = [], None
    while True:
        page = api.person.get(path, params={"limit": 2, **({"cursor": cursor} if cursor else {})}).json()
        found += [each["name"] for each in page["attachments"]]
        if (cursor := page["next_cursor"]) is None:
            break
    assert found == [f"{nr}.txt" for nr in (4, 3, 2, 1, 0)]


def test_a_deleted_message_and_another_room_have_no_files_here(api: Api, outsider: Api) -> None:
    sent = api.send(attachments=[attach(api, b"x", name="gone.txt")["attachment_id"]])
    assert names(api) == ["gone.txt"]
    api.person.delete(f"{api.messages}/{sent['message_id']}")
    assert names(api) == []
    assert outsider.person.get(f"/v2/rooms/{api.room_id}/attachments").status_code == 404
