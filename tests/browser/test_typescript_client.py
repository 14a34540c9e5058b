"""The TypeScript client in a browser, imported by a page of another origin without a bundler."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Browser

from atrium.kit.settings import Settings
from atrium.webhooks.delivery.headers import signed_headers
from atrium.webhooks.delivery.signing import new_secret
from tests.browser.conftest import new_page
from tests.client_typescript.installation import install
from tests.conftest import free_port, new_organization, running_server

BODY = b'{"event_type": "ping", "subject": {"type": "webhook", "id": null}, "timestamp": "2026-11-21T09:07:13.460Z", "data": {}}'
PAGE = '<script type="module">import * as client from "/index.js"; window.client = client;</script>'
# `cutting` is a fetch whose streams of events break after their first event. `streams` has the ids that they resume after.
START = """([url, key, roomId]) => {
  const { Atrium } = client;
  window.streams = [];
  const cutting = async (target, init) => {
    const response = await fetch(target, init);
    if (!target.includes("/v2/events")) return response;
    streams.push(init.headers.get("last-event-id"));
    let chunks = 0;
    const cut = new TransformStream({ transform(chunk, to) { ++chunks > 3 ? to.error("cut") : to.enqueue(chunk); } });
    return new Response(response.body.pipeThrough(cut), response);
  };
  window.room = new Atrium(url, key, { fetch: cutting }).room(roomId);
  window.ended = new AbortController();
}"""
FOLLOW = """async () => {
  window.texts = [];
  for await (const message of room.messages({ follow: true, signal: ended.signal })) texts.push(message.text);
  return texts;
}"""
REPEAT = """async () => {
  const sent = [1, 2].map(() => room.send("from the page", { idempotencyKey: "once" }));
  return new Set((await Promise.all(sent)).map((message) => message.message_id)).size;
}"""
WALK = """async () => {
  const found = [];
  for await (const message of room.messages({ pageSize: 3 })) found.push(message.text);
  return found;
}"""
REJECTED = """async () => {
  const error = await room.message(room.roomId).catch((thrown) => thrown);
  return [error instanceof client.NotFound, error.code, error.requestId !== ""];
}"""
VERIFY = """async ([secret, body, headers]) => {
  const bytes = new TextEncoder().encode(body);
  const tampered = await client.webhooks.verify(secret, bytes.slice(1), headers).catch((thrown) => thrown.name);
  return [(await client.webhooks.verify(secret, bytes, headers)).event_type, tampered];
}"""


class Files(SimpleHTTPRequestHandler):
    """The files of the client, and a page that imports it."""

    def do_GET(self) -> None:
        if self.path != "/":
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE.encode())

    def log_message(self, *_arguments: Any) -> None:
        """Do not log."""


@contextmanager
def other_origin(folder: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.contract("Client, agents and incoming webhooks 11")
def test_the_client_works_in_a_page_of_another_origin(settings: Settings, chromium: Browser, tmp_path: Path) -> None:
    folder = install(tmp_path) / "node_modules" / "@atrium" / "client" / "dist"
    with other_origin(folder) as origin:
        with_cors = settings.with_changes(port=free_port(), workers=1, cors_origins=(origin,))
        with running_server(with_cors) as running:
            api = new_organization(with_cors, running.url)
            api.send("before")
            page = new_page(chromium)
            page.goto(origin)
            page.wait_for_function("window.client !== undefined")
            page.evaluate(START, [running.url, api.personal_key, api.room_id])
            page.evaluate(f"void (window.following = ({FOLLOW})())")
            page.wait_for_function("streams.length > 0")
            for number in range(8):
                api.send(f"message {number}")
                page.wait_for_function("(count) => texts.length >= count", arg=number + 1)
            assert page.evaluate(REPEAT) == 1
            page.wait_for_function("texts.includes('from the page')")
            expected = [*(f"message {number}" for number in range(8)), "from the page"]
            page.evaluate("ended.abort()")
            assert page.evaluate("following") == expected
            assert page.evaluate("streams.slice(1).length > 0 && streams.slice(1).every(Boolean)")
            assert page.evaluate(WALK) == [*reversed(expected), "before"]
            assert page.evaluate(REJECTED) == [True, "message_not_found", True]
            secret = new_secret()
            headers = signed_headers("ping", uuid4(), BODY, secrets=[secret], now=datetime.now(UTC))
            assert page.evaluate(VERIFY, [secret, BODY.decode(), headers]) == ["ping", "InvalidSignature"]
            page.context.close()
            api.close()
