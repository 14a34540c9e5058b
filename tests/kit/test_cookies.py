"""The session cookie is found among the cookies of other applications (docs/decisions/0001-libraries.md)."""

import pytest

from atrium.kit.http.request import host_cookies, session_in

OWN = "atrium_session=atrs_x"
# Cookies that browsers store and send, because a page of the same host or domain has set them.
FOREIGN = {
    "JSON": 'theme={"dark": true}', "a name in brackets": "panel[open]=1", "a name with a slash": "app/theme=dark",
    "a name with an at sign": "a@b=1", "no value": "consent", "no name": "=1", "text that is not ASCII": "name=Zoë",
    "spaces": "title=two words", "a name that http.cookies reserves": "path=/wiki", "nothing": "",
}  # fmt: skip


@pytest.mark.parametrize("foreign", FOREIGN.values(), ids=FOREIGN)
def test_cookies_of_other_applications_do_not_hide_the_session(foreign: str) -> None:
    assert session_in(f"{foreign}; {OWN}".encode()) == "atrs_x"
    assert session_in(f"{OWN}; {foreign}".encode()) == "atrs_x"
    assert session_in(host_cookies(f"{foreign}; __Host-{OWN}; {OWN}y".encode())) == "atrs_x"
