"""Files attached to messages: uploading, sending once, thumbnails, and errors."""

import io
import random
import socket
import struct
import zipfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest
from PIL import Image

from tests.attachments.files import attach, metadata_of, picture
from tests.audit.entries import entries
from tests.conftest import Api
from tests.contract.tour import assert_problem
from tests.recordings.media import append, begin, offset_of, webm


def png_of(width: int, height: int, pixels: bytes = b"") -> bytes:
    """Return a PNG whose header announces this many pixels."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    body = chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + body


@pytest.mark.contract("Recordings and attachments 14")
def test_a_file_can_be_uploaded_sent_and_read(api: Api) -> None:
    made = attach(api, b"%PDF-1.4\n...", name="plan.pdf")
    assert made == {
        "attachment_id": made["attachment_id"],
        "name": "plan.pdf",
        "media_type": "application/pdf",
        "size": 12,
        "width": None,
        "height": None,
        "url": f"/v2/attachments/{made['attachment_id']}/content",
        "thumbnail_url": None,
    }
    sent = api.send("", attachments=[made["attachment_id"]])
    assert sent["attachments"] == [metadata_of(made)]
    assert api.person.get(f"{api.messages}/{sent['message_id']}").json() == sent
    assert api.person.get(api.messages).json()["messages"][0] == sent
    got = api.person.get(made["url"])
    assert got.content == b"%PDF-1.4\n..."
    assert got.headers["content-disposition"].startswith("attachment;")
    assert got.headers["x-content-type-options"] == "nosniff"
    assert api.person.get(made["url"], headers={"range": "bytes=1-3"}).content == b"PDF"


@pytest.mark.contract("Recordings and attachments 14")
def test_attachments_keep_their_order_and_a_message_accepts_at_most_ten(api: Api) -> None:
    ids = [attach(api, b"x", name=f"f{nr}")["attachment_id"] for nr in range(11)]
    random.Random(1).shuffle(ids)
    problem = assert_problem(api.person.post(api.messages, json={"text": "x", "attachments": ids}), 400)
    assert problem["errors"][0]["pointer"] == "/attachments"
    sent = api.send("ten", attachments=[*ids[:10], ids[0]][:10])
    assert [each["attachment_id"] for each in sent["attachments"]] == ids[:10]


@pytest.mark.contract("Recordings and attachments 14")
def test_a_message_accepts_only_the_senders_own_unsent_attachments_of_the_room(api: Api, outsider: Api) -> None:
    other_room = api.new_room()["room_id"]
    member = api.client(api.new_person()[1])
    used = attach(api, b"x")["attachment_id"]
    api.send("first", attachments=[used])
    others = attach(api, b"x", member)["attachment_id"]
    elsewhere = attach(api, b"x", room_id=other_room)["attachment_id"]
    abroad = attach(outsider, b"x")["attachment_id"]
    before = api.person.get(api.messages).json()["messages"]
    for unusable in (used, others, elsewhere, abroad, api.room_id):
        fine = attach(api, b"x")["attachment_id"]
        body = {"text": "no", "attachments": [fine, unusable]}
        assert assert_problem(api.person.post(api.messages, json=body), 400)["code"] == "attachment_unusable"
        assert api.send("yes", attachments=[fine])["attachments"][0]["attachment_id"] == fine
    assert len(api.person.get(api.messages).json()["messages"]) == len(before) + 5


@pytest.mark.contract("Recordings and attachments 14")
def test_only_one_of_many_concurrent_sends_gets_the_attachment(api: Api) -> None:
    made = attach(api, b"x")["attachment_id"]

    def send(nr: int) -> int:
        return (
            api.client(api.personal_key).post(api.messages, json={"text": f"{nr}", "attachments": [made]}).status_code
        )

    with ThreadPoolExecutor(8) as threads:
        assert sorted(threads.map(send, range(8))) == [201] + [400] * 7
    with_it = [each for each in api.person.get(api.messages).json()["messages"] if each["attachments"]]
    assert len(with_it) == 1


def test_a_repeated_send_returns_the_same_message(api: Api) -> None:
    body = {"text": "once", "attachments": [attach(api, b"x")["attachment_id"]]}
    sent = [api.person.post(api.messages, json=body, headers={"idempotency-key": "k"}) for _ in range(3)]
    assert [answer.status_code for answer in sent] == [201] * 3
    assert len({answer.text for answer in sent}) == 1


@pytest.mark.contract("Recordings and attachments 16")
def test_an_attachment_is_deleted_with_its_message(api: Api) -> None:
    made = attach(api, picture(40, 30))
    sent = api.send("look", attachments=[made["attachment_id"]])
    path = f"{api.messages}/{sent['message_id']}"
    api.person.patch(path, json={"text": ""})
    assert api.person.get(path).json()["attachments"] == [metadata_of(made)]
    assert api.person.delete(path).status_code == 204
    assert api.person.get(path).json()["attachments"] == []
    for gone in (made["url"], made["thumbnail_url"]):
        assert_problem(api.person.get(gone), 404)


@pytest.mark.contract("Recordings and attachments 20")
def test_an_unsent_attachment_is_visible_only_to_its_uploader(api: Api) -> None:
    made = attach(api, picture(40, 30))
    member = api.client(api.new_person()[1])
    for path in (made["url"], made["thumbnail_url"]):
        assert_problem(member.get(path), 404)
    api.send("now", attachments=[made["attachment_id"]])
    for path in (made["url"], made["thumbnail_url"]):
        assert member.get(path).status_code == 200


@pytest.mark.contract("Recordings and attachments 20")
def test_an_unreachable_room_is_answered_like_a_missing_one(api: Api, outsider: Api) -> None:
    private = api.new_space("private")
    room_id = api.new_room(private)["room_id"]
    made = attach(api, picture(40, 30), room_id=room_id)
    api.person.post(f"/v2/rooms/{room_id}/messages", json={"text": "x", "attachments": [made["attachment_id"]]})
    for client in (outsider.person, api.client(api.new_person()[1])):
        for path in ("content", "thumbnail"):
            answers = [client.get(f"/v2/attachments/{each}/{path}") for each in (made["attachment_id"], room_id)]
            bodies = [answer.content.replace(answer.headers["x-request-id"].encode(), b"") for answer in answers]
            assert bodies[0] == bodies[1]
            assert_problem(answers[0], 404)
        assert_problem(client.post(f"/v2/rooms/{room_id}/attachments", content=b"x"), 404)


@pytest.mark.contract("Recordings and attachments 17")
@pytest.mark.parametrize(
    ("kind", "width", "height", "small"),
    [
        ("PNG", 2000, 1000, (480, 240)),
        ("JPEG", 300, 1200, (120, 480)),
        ("WEBP", 100, 50, (100, 50)),
        ("GIF", 960, 960, (480, 480)),
    ],
    ids=["png", "jpeg", "webp", "gif"],
)
def test_an_image_has_a_thumbnail(api: Api, kind: str, width: int, height: int, small: tuple[int, int]) -> None:
    made = attach(api, picture(width, height, kind), name="a picture")
    assert (made["width"], made["height"], made["media_type"]) == (width, height, f"image/{kind.lower()}")
    got = api.person.get(made["thumbnail_url"])
    assert got.headers["content-type"] == "image/webp"
    assert got.headers["content-disposition"].startswith("inline;")
    assert Image.open(io.BytesIO(got.content)).size == small
    tag = {"if-none-match": got.headers["etag"]}
    assert api.person.get(made["thumbnail_url"], headers=tag).status_code == 304
    assert api.person.get(made["thumbnail_url"], headers={"range": "bytes=0-3"}).content == b"RIFF"


@pytest.mark.contract("Recordings and attachments 17")
def test_a_thumbnail_is_upright_and_has_no_location(api: Api) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # rotated by 90 degrees
    exif[0x010E] = "at home"
    exif.get_ifd(0x8825)[1] = "N"
    made = attach(api, picture(800, 400, "JPEG", exif=exif.tobytes(), comment=b"secret"))
    assert (made["width"], made["height"]) == (400, 800)
    small = Image.open(io.BytesIO(api.person.get(made["thumbnail_url"]).content))
    assert small.size == (240, 480)
    assert not small.getexif()
    assert "exif" not in small.info


def test_a_transparent_image_stays_transparent(api: Api) -> None:
    out = io.BytesIO()
    Image.new("RGBA", (600, 600), (255, 0, 0, 0)).save(out, "PNG")
    small = Image.open(io.BytesIO(api.person.get(attach(api, out.getvalue())["thumbnail_url"]).content))
    assert small.mode == "RGBA"
    assert small.getpixel((10, 10))[3] == 0


@pytest.mark.contract("Recordings and attachments 18")
def test_an_image_with_too_many_pixels_is_rejected_by_its_header(api: Api) -> None:
    bomb = png_of(30_000, 30_000, bytes(30_001 * 1000))  # would decompress to a gigabyte
    for content in (png_of(100_000, 100_000), bomb, png_of(8001, 8000)):
        answer = api.person.post(f"/v2/rooms/{api.room_id}/attachments", content=content)
        assert assert_problem(answer, 400)["code"] == "image_too_large"
        upload = begin(api.person, api.room_id, len(content), "attachment", "bomb.png")
        assert assert_problem(append(api.person, upload, 0, content), 400)["code"] == "image_too_large"


@pytest.mark.contract("Recordings and attachments 18")
def test_a_broken_image_and_a_compressed_archive_are_ordinary_files(api: Api) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(50 << 20))
    broken = picture(400, 300)[:200]
    for content in (packed.getvalue(), broken, png_of(10, 10, b""), b"\xff\xd8\xff\xe0" + b"x" * 100):
        made = attach(api, content, name="picture.png")
        assert (made["width"], made["height"], made["thumbnail_url"]) == (None, None, None)
        assert_problem(api.person.get(f"/v2/attachments/{made['attachment_id']}/thumbnail"), 404)
        assert api.person.get(made["url"]).content == content


@pytest.mark.contract("Recordings and attachments 19")
@pytest.mark.parametrize(
    "content",
    [
        b"<html><script>alert(1)</script>",
        b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
        b"text",
        b"\x00",
    ],
    ids=["html", "svg", "text", "a byte"],
)
def test_content_that_could_run_in_a_browser_is_a_download(api: Api, content: bytes) -> None:
    made = attach(api, content, name='"; filename=x.html\\../../a<b>é.png')
    got = api.person.get(made["url"])
    assert got.headers["content-type"] == "application/octet-stream"
    assert got.headers["content-disposition"].startswith("attachment;")
    assert got.headers["content-disposition"].count('"') == 2
    assert got.headers["content-security-policy"] == "sandbox"


@pytest.mark.contract("Recordings and attachments 21")
def test_an_empty_or_oversized_file_is_rejected(api: Api) -> None:
    where = f"/v2/rooms/{api.room_id}/attachments"
    assert assert_problem(api.person.post(where, content=b""), 400)["code"] == "empty_file"
    assert announce(api, where, announced=(100 << 20) + 1).startswith("HTTP/1.1 413")

    def endless():
        for _ in range(102):
            yield bytes(1 << 20)

    assert assert_problem(api.person.post(where, content=endless()), 413)["code"] == "upload_too_large"


def announce(api: Api, path: str, announced: int) -> str:
    """Return the response to a request that announces a body and sends none of it."""
    where = urlsplit(api.url)
    with socket.create_connection((str(where.hostname), int(where.port or 0)), timeout=30) as line:
        head = f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {api.personal_key}\r\n"
        line.sendall(f"{head}Content-Length: {announced}\r\n\r\n".encode())
        return line.recv(4096).decode()


def test_an_attachment_can_be_uploaded_with_tus(api: Api) -> None:
    content = picture(1000, 500)
    upload = begin(api.person, api.room_id, len(content), "attachment", "plan.png")
    append(api.person, upload, 0, content[:20])
    assert append(api.person, upload, 20, content[20:]).status_code == 204
    assert offset_of(api.person, upload) == len(content)
    attachment_id = upload.rsplit("/", 1)[1]
    [shown] = api.send("by tus", attachments=[attachment_id])["attachments"]
    assert (shown["name"], shown["width"], shown["height"]) == ("plan.png", 1000, 500)
    assert api.person.get(f"/v2/attachments/{attachment_id}/content").content == content


def test_a_video_can_be_attached_to_a_message_in_any_room(api: Api) -> None:
    made = attach(api, webm(5000))
    assert made["media_type"] == "video/webm"
    assert api.person.get(made["url"]).headers["content-disposition"].startswith("inline;")


def test_attachments_are_content_and_leave_no_audit_entry(api: Api) -> None:
    before = len(entries(api))
    api.send("x", attachments=[attach(api, b"x")["attachment_id"]])
    assert len(entries(api)) == before
