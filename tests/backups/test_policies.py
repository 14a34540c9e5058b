"""A backup has the key policy, whose columns are rows themselves, and the policy to come."""

import asyncio
import json
from pathlib import Path

import psycopg

from atrium.kit.clock import utc_now
from atrium.kit.settings import Settings
from tests.backups.places import Place, with_postgresql
from tests.conftest import in_process_client
from tests.keys.policies import Json, after


def rows_of(place: Place) -> list[tuple[str]]:
    with psycopg.connect(place.settings.database_url or "") as db:
        return db.execute("select t::text from key_policies t").fetchall()


def policy(place: Place, made: Json, *changes: Json) -> Json:
    """Change the policy of keys; return it with its effects."""

    async def example() -> Json:
        async with in_process_client(place.settings, utc_now) as client:
            client.headers["authorization"] = f"Bearer {made['personal_key']}"
            path = f"/v1/organizations/{made['organization_id']}/key-policy"
            for each in changes:
                changed = await client.put(path, json={"content": each})
                assert changed.status_code == 200, changed.text
            return dict((await client.get(path)).json())

    return asyncio.run(example())


def test_a_policy_of_keys_and_the_stricter_one_that_follows_are_restored(settings: Settings, tmp_path: Path) -> None:
    first = {"personal_keys": "admins", "enforce_at": after(-1)}
    with with_postgresql(settings) as place:
        made = json.loads(place.succeeds("init", "--organization", "Acme", "--email", "ada@example.org", "--json"))
        shown = policy(place, made, first, {**first, "max_lifetime_days": 30, "enforce_at": after(10)})
        rows = rows_of(place)
        place.succeeds("backup", tmp_path / "file")
    assert [each in str(rows) for each in ("(30,admins,f)", "(,admins,f)")] == [True, True]
    with with_postgresql(settings) as place:
        place.succeeds("restore", tmp_path / "file")
        assert rows_of(place) == rows
        assert policy(place, made) == shown
