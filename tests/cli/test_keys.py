"""`atrium keys` changes keys as the API does, by the same rules, and writes the audit log."""

import json
from datetime import timedelta
from uuid import uuid4

import pytest

from atrium.kit.clock import parse_time, utc_now
from tests.cli.running import as_json, invoke, newest_entry, run
from tests.conftest import Api, scratch_folder


def works(api: Api, key: str) -> bool:
    return api.client(key).get(api.organization).status_code == 200


@pytest.mark.contract("Operations 14")
def test_an_organization_key_is_created_listed_rotated_and_revoked(api: Api) -> None:
    here = ("--organization", api.organization_id)
    made = as_json(
        api, "keys", "create", "--name", "Bot", "--role", "reader", "--space", f"{api.space_id}=member",
        "--expires", "90d", *here,
    )  # fmt: skip
    assert works(api, made["key"])
    assert made["api_key"]["spaces"] == [{"space_id": api.space_id, "role": "member"}]
    ends = parse_time(made["api_key"]["expires_at"])
    assert timedelta(days=89) < ends - utc_now() < timedelta(days=91)
    assert newest_entry(api)["action"] == "api_key.created"
    key_id = made["api_key"]["api_key_id"]
    listed = as_json(api, "keys", "list", *here)
    assert [each["name"] for each in listed] == ["First integration", "Bot"]
    assert listed[1] == made["api_key"]
    rotated = as_json(api, "keys", "rotate", key_id)
    assert (works(api, made["key"]), works(api, rotated["key"])) == (False, True)
    assert newest_entry(api)["action"] == "api_key.rotated"
    output, _ = run(api, "keys", "revoke", key_id)
    assert output == "Revoked the key of Bot.\n"
    assert not works(api, rotated["key"])
    assert newest_entry(api)["action"] == "api_key.revoked"
    assert made["key"] not in json.dumps(newest_entry(api))
    assert run(api, "keys", "rotate", key_id)[1] == f"key {key_id} not found; it may have been revoked"


@pytest.mark.contract("Operations 14")
def test_a_personal_key_is_created_listed_rotated_and_revoked(api: Api) -> None:
    [ada] = as_json(api, "people", "list", "--organization", api.organization_id)
    of_ada = ("--person", ada["email"].upper(), "--organization", api.organization_id)
    made = as_json(api, "keys", "create", "--name", "Laptop", *of_ada)
    assert works(api, made["key"])
    assert newest_entry(api)["action"] == "personal_key.created"
    assert [each["name"] for each in as_json(api, "keys", "list", *of_ada)] == ["First key", "Laptop"]
    rotated = as_json(api, "keys", "rotate", made["api_key"]["api_key_id"])
    assert (works(api, made["key"]), works(api, rotated["key"])) == (False, True)
    assert newest_entry(api)["action"] == "personal_key.rotated"
    assert run(api, "keys", "revoke", made["api_key"]["api_key_id"])[0] == "Revoked the key of Ada's Laptop.\n"
    assert not works(api, rotated["key"])
    assert newest_entry(api)["action"] == "personal_key.revoked"


@pytest.mark.contract("Roles and keys 23")
def test_an_expired_key_can_be_renewed(api: Api) -> None:
    for words in (("--role", "admin"), ("--person", api.person_id)):
        made = as_json(api, "keys", "create", "--name", "Bot", *words, "--organization", api.organization_id)
        key_id = made["api_key"]["api_key_id"]
        api.sql("update api_keys set expires_at = now() where api_key_id = $1::text::uuid", key_id)
        assert run(api, "keys", "rotate", key_id)[1].startswith("The key expired at ")
        renewed = as_json(api, "keys", "rotate", key_id, "--expires", "90d")
        assert works(api, renewed["key"])
        assert timedelta(days=89) < parse_time(renewed["api_key"]["expires_at"]) - utc_now() < timedelta(days=91)


def test_a_key_is_printed_on_its_own_line_and_only_once(api: Api) -> None:
    output, _ = run(api, "keys", "create", "--name", "Bot", "--organization", api.organization_id)
    key = output.splitlines()[0]
    assert works(api, key)
    listed, _ = run(api, "keys", "list", "--organization", api.organization_id)
    assert key not in listed
    assert key[-4:] in listed


def test_an_invalid_request_is_rejected_and_creates_nothing(api: Api, outsider: Api) -> None:
    before = as_json(api, "keys", "list", "--organization", api.organization_id)
    unknown = str(uuid4())
    for words, error in (
        (("--space", f"{outsider.space_id}=member"), f"Acme has no space {outsider.space_id}"),
        (("--space", f"{api.space_id}=king"), f"--space {api.space_id}=king: use ID=ROLE"),
        (("--space", "General"), "--space General: use ID=ROLE"),
        (("--expires", "yesterday"), "/content/expires_at: is not an ISO 8601 time"),
        (("--expires", "2020-01-01"), "/content/expires_at: is in the past"),
        (("--person", "nobody@example.org"), "Acme has no member with the id or email address nobody@example.org"),
        (("--person", unknown), "Acme has no member with the id"),
        (("--person", api.person_id, "--role", "admin"), "the key has the access of its person"),
    ):
        output, refused = run(api, "keys", "create", "--name", "Bot", "--organization", api.organization_id, *words)
        assert (output, refused.startswith(error)) == ("", True), refused
    assert "name" in run(api, "keys", "create", "--name", "", "--organization", api.organization_id)[1]
    assert as_json(api, "keys", "list", "--organization", api.organization_id) == before


def test_with_several_organizations_one_must_be_named(api: Api, outsider: Api) -> None:
    error = run(api, "keys", "list")[1]
    assert error.startswith("choose an organization with --organization: ")
    assert run(api, "keys", "list", "--organization", "Nobody")[1].startswith("choose an organization")


def test_nothing_is_truncated_at_any_width(api: Api) -> None:
    for width in (40, 60, 100, 160):
        output, _ = invoke(
            "keys", "list", "--organization", api.organization_id, **api.settings.environment(), COLUMNS=str(width)
        )
        assert as_json(api, "keys", "list", "--organization", api.organization_id)[0]["api_key_id"] in output
        assert "…" not in output


@pytest.mark.contract("Operations 14")
def test_without_a_server_it_uses_the_data_folder() -> None:
    with scratch_folder() as folder:
        here = {"ATRIUM_DATABASE_URL": None, "ATRIUM_DATA_DIR": str(folder)}
        assert invoke("keys", "list", **here)[1] == "there is no organization yet; create one with atrium init"
        invoke("init", "--organization", "Acme", "--email", "ada@example.org", **here)
        made = json.loads(invoke("keys", "create", "--name", "Bot", "--json", **here)[0])
        assert made["api_key"]["name"] == "Bot"
        assert "ada@example.org" in invoke("people", "list", **here)[0]
        token = json.loads(invoke("people", "invite", "bob@example.org", "--json", **here)[0])["token"]
        assert len(token) > 30


def test_keys_with_limits_and_further_keys_of_an_integration_are_created(api: Api) -> None:
    here = ("--organization", api.organization_id)
    made = as_json(
        api, "keys", "create", "--name", "Index", "--scope", "search", "--scope", "messages:read",
        "--network", "127.0.0.0/8", "--space", f"{api.space_id}=reader", *here,
    )["api_key"]  # fmt: skip
    assert (made["scopes"], made["allowed_networks"]) == (["messages:read", "search"], ["127.0.0.0/8"])
    of_it = ("--integration", made["integration_id"], *here)
    second = as_json(api, "keys", "create", "--name", "Office", "--scope", "search", *of_it)
    assert second["api_key"]["key_name"] == "Office"
    assert api.client(second["key"]).get(api.messages).json()["code"] == "insufficient_scope"
    assert "messages:read, search, from 127.0.0.0/8" in run(api, "keys", "list", *here)[0]
    of_ada = ("--person", api.person_id, *here)
    own = as_json(api, "keys", "create", "--name", "Laptop", "--scope", "search", *of_ada)
    assert own["api_key"]["scopes"] == ["search"]


def test_invalid_limits_and_integrations_are_named(api: Api) -> None:
    here = ("--organization", api.organization_id)
    made = ("keys", "create", "--name", "x", *here)
    assert "scopes" in run(api, *made, "--scope", "everything")[1]
    assert "CIDR" in run(api, *made, "--network", "home")[1]
    for unknown in ("nothing", str(uuid4())):
        assert f"no integration {unknown} with keys" in run(api, *made, "--integration", unknown)[1]
    of_it = ("--integration", str(uuid4()))
    assert "leave out --role" in run(api, *made, *of_it, "--role", "admin")[1]
    assert "exclude each other" in run(api, *made, *of_it, "--person", "ada")[1]


def test_a_key_is_narrowed_and_not_widened(api: Api) -> None:
    here = ("--organization", api.organization_id)
    [ada] = as_json(api, "people", "list", *here)
    for kind, options in (("api_key", ()), ("personal_key", ("--person", ada["email"]))):
        made = as_json(api, "keys", "create", "--name", "Report", *options, *here)
        key_id, narrow = made["api_key"]["api_key_id"], ("keys", "narrow", made["api_key"]["api_key_id"])
        limits = ("--scope", "search", "--scope", "messages:read", "--network", "192.0.2.0/24", "--expires", "90d")
        narrowed = as_json(api, *narrow, *limits)
        assert (narrowed["api_key_id"], narrowed["scopes"]) == (key_id, ["messages:read", "search"])
        assert narrowed["allowed_networks"] == ["192.0.2.0/24"]
        assert timedelta(days=89) < parse_time(narrowed["expires_at"]) - utc_now() < timedelta(days=91)
        assert not works(api, made["key"])
        assert newest_entry(api)["action"] == f"{kind}.updated"
        assert "messages:read, from 192.0.2.0/24" in run(api, *narrow, "--scope", "messages:read")[0]
        assert run(api, *narrow, "--scope", "search")[1].endswith("can only become fewer; create another key for more")
        assert "can only become narrower" in run(api, *narrow, "--network", "192.0.0.0/16")[1]
        assert run(api, *narrow)[1] == "nothing to change; use --scope, --network or --expires"
    unknown = str(uuid4())
    assert run(api, "keys", "narrow", unknown, "--scope", "search")[1].startswith(f"key {unknown} not found")
