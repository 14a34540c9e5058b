"""The tests of the TypeScript client in Node.js, against a real server (`clients/typescript/tests`)."""

import os
from pathlib import Path

import pytest

from tests.client_typescript.installed import installed, run_node
from tests.conftest import Api
from tests.house.sources import ROOT

OLD = 1_400_000_000_000  # 2014
SOURCES = ROOT / "clients" / "typescript" / "tests"
FILES = sorted(path.name.removesuffix(".test.ts") for path in SOURCES.glob("*.test.ts"))


def environment_of(api: Api) -> dict[str, str]:
    """Return the environment in which a program of the super_admin finds the server."""
    return {
        **os.environ, "ATRIUM_URL": api.url, "ATRIUM_KEY": api.personal_key, "ATRIUM_ORGANIZATION": api.organization_id,
        "ATRIUM_SPACE": api.space_id, "ATRIUM_ROOM": api.room_id,
    }  # fmt: skip


def insert_history(api: Api, count: int) -> None:
    """Insert messages of long ago, an hour apart, as an import does: several windows, then years of empty ones."""
    api.sql(
        """insert into messages (room_id, message_id, user_id, sender_type, text, sent_at)
        select $1::uuid, id_at(ms << 12), $2::uuid, 'person', 'old ' || nr, time_of_ms(ms)
        from generate_series(0, $4::bigint - 1) nr, lateral (select $3::bigint + nr * 3600000 as ms) at""",
        api.room_id, api.person_id, OLD, count,
    )  # fmt: skip
    api.sql("update rooms set created_at = time_of_ms($2::bigint) where room_id = $1", api.room_id, OLD)


@pytest.mark.parametrize("name", FILES)
def test_the_client_works_in_node(api: Api, tmp_path: Path, name: str) -> None:
    home = installed(tmp_path)
    insert_history(api, 1000)
    done = run_node(home, environment_of(api), "--test", "--test-timeout=60000", f"tests/{name}.test.js")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# fail 0" in done.stdout
    assert "# pass 0" not in done.stdout
