"""The lookups of identity providers each use an index in a directory of thousands."""

import json
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from atrium.kit.postgres.database import SESSION
from atrium.kit.settings import Settings
from atrium.scim import queries

FILL = """
set local session_replication_role = replica;
delete from group_members; delete from groups; delete from directory_users;
with everywhere as (select nr, gen_random_uuid() as id, nr % 10 as org from generate_series(1, 20000) nr)
insert into directory_users (organization_id, user_id, user_name_key, external_key, display_key, email_keys, attributes,
                             created_at, updated_at)
select ('00000000-0000-4000-8000-00000000000' || org)::uuid, id, 'u' || nr, 'e' || nr, 'd' || nr, array['m' || nr], '{}',
       now(), now() from everywhere;
insert into groups (organization_id, group_id, display_key, external_key, attributes, created_at, updated_at)
select organization_id, gen_random_uuid(), user_name_key, external_key, '{}', now(), now() from directory_users;
insert into group_members select gen_random_uuid(), organization_id, user_id from directory_users;
analyze directory_users; analyze groups; analyze group_members;
"""


@pytest.fixture(scope="module")
def populated_database(settings: Settings) -> Iterator[psycopg.Connection[Any]]:
    """Yield a connection configured like the server's, on populated tables; roll back afterwards."""
    with psycopg.connect(settings.database_url or "") as db:
        for name, value in SESSION.items():
            db.execute("select set_config(%s, %s, false)", [name, value])
        db.execute(FILL.encode())
        yield db
        db.rollback()


@pytest.mark.contract("Directory provisioning 4")
@pytest.mark.parametrize(
    ("name", "index"),
    [
        ("USER_BY_ID", "directory_users_pkey"),
        ("USERS_BY_NAME", "directory_users_by_name"),
        ("USERS_BY_EXTERNAL_ID", "directory_users_by_external_id"),
        ("USERS_BY_DISPLAY_NAME", "directory_users_by_display_name"),
        ("USERS_BY_EMAIL", "directory_users_by_email"),
        ("USERS_AFTER", "directory_users_pkey"),
        ("GROUP_BY_ID", "groups_by_organization"),
        ("GROUPS_BY_EXTERNAL_ID", "groups_by_external_id"),
        ("GROUPS_BY_DISPLAY_NAME", "groups_by_display_name"),
        ("GROUPS_OF_USER", "group_members_by_actor"),
        ("GROUPS_AFTER", "groups_by_organization"),
    ],
)
def test_a_lookup_uses_its_index(populated_database: psycopg.Connection[Any], name: str, index: str) -> None:
    row = populated_database.execute(
        f"explain (generic_plan, format json) {getattr(queries, name)}".encode()
    ).fetchone()
    assert row is not None
    plan = json.dumps(row[0])
    assert index in plan
    assert "Seq Scan" not in plan
