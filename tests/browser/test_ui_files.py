"""How the server serves the web application."""

import re
import subprocess

import httpx
import pytest

from atrium.server.ui import is_built
from tests.conftest import RunningServer

PAGE = {"accept": "text/html,*/*"}
needs_build = pytest.mark.skipif(not is_built(), reason="the web application is not built: there is no Node.js here")


@pytest.mark.contract("Web application 76")
@needs_build
@pytest.mark.parametrize("path", ["/", "/sign-in", "/o/anything/rooms/at-all"])
def test_each_page_has_a_content_security_policy_with_its_own_nonce(server: RunningServer, path: str) -> None:
    answers = [httpx.get(server.url + path, headers=PAGE, timeout=60) for _ in range(2)]
    nonces = {re.search(r"'nonce-([\w-]{20,})'", each.headers["content-security-policy"]) for each in answers}
    found = {each[1] for each in nonces if each}
    assert len(found) == 2
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "unsafe" not in policy
        assert "script-src 'self';" in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["cache-control"] == "no-cache"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert any(f'nonce="{nonce}"' in answer.text for nonce in found)
        assert "{nonce}" not in answer.text


@pytest.mark.contract("Web application 76")
@needs_build
def test_files_are_cached_forever_and_compressed(server: RunningServer) -> None:
    page = httpx.get(server.url, headers=PAGE, timeout=60).text
    for path in re.findall(r'(?:src|href)="(/assets/[^"]+)"', page):
        answer = httpx.get(server.url + path, timeout=60)
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["content-encoding"] == "gzip"
        plain = httpx.get(server.url + path, headers={"accept-encoding": "identity"}, timeout=60)
        assert plain.content == answer.content
        command = [
            "curl",
            "--silent",
            "--compressed",
            "--dump-header",
            "-",
            "--output",
            "/dev/stderr",
            server.url + path,
        ]
        by_curl = subprocess.run(command, capture_output=True, check=True)
        assert b"content-encoding: br" in by_curl.stdout
        assert by_curl.stderr == plain.content
    assert httpx.get(f"{server.url}/assets/unknown.js", timeout=60).status_code == 404
    assert httpx.get(f"{server.url}/assets/..%2f..%2fui.py", timeout=60).status_code == 404


@needs_build
def test_the_page_starts_with_an_outline_of_a_room_but_not_for_signing_in(server: RunningServer) -> None:
    room, sign_in = (httpx.get(server.url + path, headers=PAGE, timeout=60).text for path in ("/o/1", "/sign-in"))
    assert '<div id="outline" aria-hidden' in room
    assert '<div id="outline" hidden' in sign_in
    assert room.index('id="outline"') < room.index('rel="stylesheet"') < room.index('id="root"')


@needs_build
def test_the_application_can_be_installed(server: RunningServer) -> None:
    page = httpx.get(server.url, headers=PAGE, timeout=60).text
    assert '<link rel="manifest" href="/manifest.webmanifest"' in page
    answer = httpx.get(f"{server.url}/manifest.webmanifest", timeout=60)
    assert answer.headers["content-type"] == "application/manifest+json"
    assert answer.json()["start_url"] == "/"
    for each in answer.json()["icons"]:
        icon = httpx.get(server.url + each["src"], timeout=60)
        assert icon.headers["content-type"] == each["type"]
        assert icon.headers["cache-control"] == "public, max-age=86400"


@pytest.mark.contract("Web application 76")
@pytest.mark.parametrize("path", ["/v1/nothing", "/v2/rooms", "/docs/nothing", "/scim/v2/nothing", "/health/nothing"])
def test_api_paths_never_serve_the_application(server: RunningServer, path: str) -> None:
    answer = httpx.get(server.url + path, headers=PAGE, timeout=60)
    assert answer.status_code == 404
    dialect = "scim" if path.startswith("/scim/") else "problem"
    assert answer.headers["content-type"] == f"application/{dialect}+json"


def test_a_program_that_requests_an_unknown_path_gets_404(server: RunningServer) -> None:
    assert (
        httpx.get(f"{server.url}/nothing/here", headers={"accept": "application/json"}, timeout=60).status_code == 404
    )
