"""The tests of the TypeScript client in Node.js, against a real server (`clients/typescript/tests`)."""

import os
from pathlib import Path

import pytest

from tests.client_typescript.installed import installed, run_node
from tests.conftest import Api
from tests.house.sources import ROOT

SOURCES = ROOT / "clients" / "typescript" / "tests"
FILES = sorted(path.name.removesuffix(".test.ts") for path in SOURCES.glob("*.test.ts"))


def environment_of(api: Api) -> dict[str, str]:
    """Return the environment in which a program of the super_admin finds the server."""
    return {
        **os.environ, "ATRIUM_URL": api.url, "ATRIUM_KEY": api.personal_key, "ATRIUM_ORGANIZATION": api.organization_id,
        "ATRIUM_SPACE": api.space_id, "ATRIUM_ROOM": api.room_id,
    }  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_the_client_works_in_node(api: Api, tmp_path: Path, name: str) -> None:
    home = installed(tmp_path)
    done = run_node(home, environment_of(api), "--test", "--test-timeout=60000", f"tests/{name}.test.js")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# fail 0" in done.stdout
    assert "# pass 0" not in done.stdout
