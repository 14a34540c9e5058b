"""A recording in a `<video>` element of a real browser: it plays, and seeks with range requests."""

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.conftest import Api
from tests.recordings.media import film, record, video_room

pytestmark = pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="Debian's ffmpeg is not installed")
SEEK = """seconds => new Promise((done, fail) => {
    const video = document.querySelector('video');
    video.onerror = () => fail(video.error.message);
    video.onseeked = () => done(video.currentTime);
    video.currentTime = seconds;
})"""


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with chromium.new_context() as context:
        yield context.new_page()


@pytest.mark.contract("Recordings and attachments 8")
def test_a_video_element_can_seek_in_a_recording(api: Api, page: Page) -> None:
    content = film(60, noise=60)  # more than a browser reads ahead
    path = f"/v2/recordings/{record(api, video_room(api), content)['recording_id']}/media"
    ranges: list[str] = []

    def with_key(route: Route) -> None:
        ranges.append(route.request.headers.get("range", ""))
        route.continue_(headers={**route.request.headers, "authorization": f"Bearer {api.personal_key}"})

    page.route(f"**{path}", with_key)
    page.goto(f"{api.url}/docs/problems")
    page.set_content(f'<video src="{path}" preload="metadata" muted></video>')
    page.wait_for_function("document.querySelector('video').readyState >= 1")
    assert abs(page.evaluate("document.querySelector('video').duration") - 60) < 1
    assert page.evaluate("document.querySelector('video').videoWidth") == 320
    for seconds in (45, 5):
        assert abs(page.evaluate(SEEK, seconds) - seconds) < 1
    assert all(each.startswith("bytes=") for each in ranges)
    assert any(int(each.removeprefix("bytes=").partition("-")[0]) > 0 for each in ranges)
