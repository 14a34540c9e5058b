"""The tests of the TypeScript client in Node.js, against a real server (`clients/typescript/tests`)."""

import os
import subprocess
from pathlib import Path

import psutil
import pytest

from atrium.kit.settings import Settings
from tests.client_typescript.installation import install, run_node
from tests.conftest import Api, free_port, new_organization, running_server
from tests.faults.running import kill_all
from tests.house.sources import ROOT

OLD = 1_400_000_000_000  # 2014
SOURCES = ROOT / "clients" / "typescript" / "tests"
FILES = sorted(path.name.removesuffix(".test.ts") for path in SOURCES.glob("*.test.ts"))


def environment_of(api: Api) -> dict[str, str]:
    """Return the environment in which a program of the super_admin finds the server."""
    return {
        **os.environ,
        "ATRIUM_URL": api.url,
        "ATRIUM_KEY": api.personal_key,
        "ATRIUM_ORGANIZATION": api.organization_id,
        "ATRIUM_SPACE": api.space_id,
        "ATRIUM_ROOM": api.room_id,
    }


def insert_history(api: Api, count: int) -> None:
    """Insert messages of long ago, an hour apart, as an import does: several windows, then years of empty ones."""
    api.sql(
        """insert into messages (room_id, message_id, user_id, sender_type, text, sent_at)
        select $1::uuid, id_at(ms << 12), $2::uuid, 'person', 'old ' || nr, time_of_ms(ms)
        from generate_series(0, $4::bigint - 1) nr, lateral (select $3::bigint + nr * 3600000 as ms) at""",
        api.room_id,
        api.person_id,
        OLD,
        count,
    )
    api.sql("update rooms set created_at = time_of_ms($2::bigint) where room_id = $1", api.room_id, OLD)


@pytest.mark.contract("Client, agents and incoming webhooks 10")
@pytest.mark.parametrize("name", FILES)
def test_the_client_works_in_node(api: Api, tmp_path: Path, name: str) -> None:
    home = install(tmp_path)
    insert_history(api, 1000)
    done = run_node(home, environment_of(api), "--test", "--test-timeout=60000", f"tests/{name}.test.js")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# fail 0" in done.stdout
    assert "# pass 0" not in done.stdout


@pytest.mark.contract("Client, agents and incoming webhooks 10")
def test_while_the_server_is_killed_each_message_is_sent_and_received_once(settings: Settings, tmp_path: Path) -> None:
    home, own = install(tmp_path), settings.with_changes(port=free_port(), workers=1)
    with running_server(own) as running:
        environment = environment_of(new_organization(own, running.url))
        program = subprocess.Popen(
            ["node", "tests/throughKill.js"],
            cwd=home,
            env=environment,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert program.stdout
        assert program.stdout.readline() == "following\n"
        server = psutil.Process(running.process.pid)
        kill_all([server, *server.children(recursive=True)])
    with running_server(own):
        printed, _ = program.communicate("finish\n", timeout=120)
        assert program.returncode == 0, printed
