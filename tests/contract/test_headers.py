"""Headers of every response: no caching, no content sniffing, no framing."""

import pytest

from tests.conftest import Api
from tests.recordings.media import PICTURE

API = ["/v1/me/profile", "/v2/rooms/{room}/messages", "/v1/nothing", "/v2/rooms/{nowhere}", "/scim/v2/Users"]
NOWHERE = "01900000-0000-7000-8000-000000000000"


@pytest.mark.contract("Conventions 6")
@pytest.mark.parametrize("path", API)
@pytest.mark.parametrize("keyed", [True, False])
def test_api_responses_are_not_cached(api: Api, path: str, keyed: bool) -> None:
    client = api.person if keyed else api.client(None)
    for method in ("GET", "POST"):
        answer = client.request(method, path.format(room=api.room_id, nowhere=NOWHERE), json={})
        assert answer.headers["cache-control"] == "private, no-store", answer.status_code
        assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.contract("Conventions 6")
def test_cacheable_responses_declare_it_themselves(api: Api) -> None:
    made = api.person.post(f"/v2/rooms/{api.room_id}/attachments?name=a.png", content=PICTURE).json()
    media = api.person.get(f"/v2/attachments/{made['attachment_id']}/content")
    assert media.headers["cache-control"] == "private, no-cache"
    for path in ("/docs/assets/reference.css", "/openapi.json", "/docs", "/docs/guides", "/sign-in"):
        answer = api.client(None).get(path)
        assert "private" not in answer.headers.get("cache-control", "")
        assert answer.headers["x-content-type-options"] == "nosniff", path


@pytest.mark.contract("Conventions 6")
@pytest.mark.parametrize("path", ["/docs", "/docs/problems", "/docs/guides"])
def test_no_documentation_page_can_be_framed(api: Api, path: str) -> None:
    assert "frame-ancestors 'none'" in api.client(None).get(path).headers["content-security-policy"]
