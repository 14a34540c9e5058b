"""The format of keys; only their hashes are stored (docs/contract.md#roles-and-keys)."""

import re
import string
from hashlib import sha256
from zlib import crc32

import pytest

from tests.conftest import Api

BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
KEY = re.compile(r"atr[op]_[0-9A-Za-z]{36}")


def base62(number: int) -> str:
    digits = ""
    while number:
        digits = BASE62[number % 62] + digits
        number //= 62
    return digits.rjust(6, "0")


def test_a_key_contains_its_checksum(api: Api) -> None:
    own = api.person.post("/v1/me/integrations", json={"content": {"name": "x"}}).json()["key"]
    for key in (api.organization_key, api.personal_key, own, api.new_integration()["key"], api.new_person()[1]):
        assert KEY.fullmatch(key)
        assert key[-6:] == base62(crc32(key[:-6].encode()))
    assert api.organization_key.startswith("atro_")
    assert own.startswith("atrp_")


def test_a_mistyped_key_is_distinguished_from_an_unknown_one(api: Api) -> None:
    last = "1" if api.personal_key[-1] == "0" else "0"
    mistyped = api.client(api.personal_key[:-1] + last).get("/v1/me/profile")
    body = "atrp_" + "A" * 30
    unknown = api.client(body + base62(crc32(body.encode()))).get("/v1/me/profile")
    assert (mistyped.status_code, unknown.status_code) == (401, 401)
    assert "malformed" in mistyped.json()["detail"]
    assert "unknown" in unknown.json()["detail"]


@pytest.mark.contract("Authentication 1")
@pytest.mark.parametrize("scheme", ["bearer", "BEARER", "Bearer"])
def test_the_authorization_scheme_is_case_insensitive(api: Api, scheme: str) -> None:
    headers = {"authorization": f"{scheme} {api.personal_key}"}
    assert api.client(None).get("/v1/me/profile", headers=headers).status_code == 200


@pytest.mark.contract("Roles and keys 27")
def test_the_database_stores_the_hash_of_a_key_and_never_the_key(api: Api) -> None:
    key = api.new_integration()["key"]
    [row] = api.sql("select key_hash, last_four from api_keys where key_hash = $1", sha256(key.encode()).digest())
    assert (len(row["key_hash"]), row["last_four"]) == (32, key[-4:])
    tables = api.sql("select table_name from information_schema.tables where table_schema = 'public'")
    for table in tables:
        random = key[5:35]
        name = table["table_name"]
        assert api.sql(f"select from {name} t where t::text like '%' || $1 || '%'", random) == [], name


def test_keys_are_unique(api: Api) -> None:
    made = [api.person.post("/v1/me/integrations", json={"content": {"name": "x"}}).json()["key"] for _ in range(20)]
    assert len(set(made)) == 20
