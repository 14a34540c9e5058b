"""The audit log of signing in."""

import json

from tests.conftest import Api
from tests.sessions.visitor import PASSWORD, browser, visitor


def test_the_audit_log_records_sign_ins_failures_changes_and_ends(api: Api) -> None:
    grace = visitor(api)
    grace.sign_in("wrong wrong wrong")
    client = grace.signed_in_client()
    client.put("/v1/me/password", json={"content": {"password": "another good one", "current_password": PASSWORD}})
    client.put("/v1/me/password", json={"content": {"password": "a third good one", "current_password": "no"}})
    client.patch("/v1/me/profile", json={"content": {"name": "Rear Admiral"}})
    client.delete("/v1/me/sessions", params={"keep_current": "true"})
    client.delete("/v1/sessions/current")
    browser(api).post("/v1/sign-in-links", json={"content": {"email": grace.email}})
    log = api.person.get(f"{api.organization}/audit-log", params={"actor_id": grace.person_id}).json()["entries"]
    assert [entry["action"] for entry in reversed(log)] == [
        "invitation.accepted",
        "sign_in.refused",
        "session.begun",
        "password.changed",
        "request.refused",
        "profile.updated",
        "sessions.ended",
        "session.ended",
        "link.asked",
    ]
    assert {entry["address"] for entry in log} == {"127.0.0.1"}
    assert not [word for word in ("wrong wrong", "good one", PASSWORD, "atrs_") if word in json.dumps(log)]
    keys = {entry["action"]: entry["api_key_id"] for entry in log}
    assert keys["sign_in.refused"] is None
    assert keys["session.begun"] == keys["session.ended"] is not None
