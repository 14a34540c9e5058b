"""Both clients come from one source, import no server code and are typed for mypy and pyright."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.client.generate import SYNC, generate
from tests.conftest import Api

USAGE = Path(__file__).with_name("usage.py")
LOADED = "import sys, atrium.client; print(*sorted(m for m in sys.modules if m.startswith('atrium')))"


@pytest.mark.contract("Client, agents and incoming webhooks 9")
def test_the_sync_client_is_generated_from_the_async_one() -> None:
    assert generate() == {path.name: path.read_text() for path in SYNC.glob("*.py")}


@pytest.mark.contract("Client, agents and incoming webhooks 9")
def test_importing_the_client_imports_no_server_code() -> None:
    loaded = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True).stdout.split()
    assert "atrium.client" in loaded
    assert [name for name in loaded if name != "atrium" and not name.startswith("atrium.client")] == []


@pytest.mark.parametrize("heavy", ["atrium.server", "asyncpg", "granian", "sqlalchemy", "aiohttp"])
def test_importing_the_client_imports_no_server_library(heavy: str) -> None:
    printed = subprocess.run(
        [sys.executable, "-c", f"import sys, atrium.client; print({heavy!r} in sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert printed.stdout == "False\n"


@pytest.mark.contract("Client, agents and incoming webhooks 9")
@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_a_users_program_is_typed(tmp_path: Path, checker: str) -> None:
    program = tmp_path / "program.py"
    program.write_text(USAGE.read_text())
    command = {
        "mypy": [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(program)],
        "pyright": [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, str(program)],
    }[checker]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    wrong = program.read_text().replace("texts.append(message.text)", "texts.append(message.sent_at)")
    program.write_text(wrong)
    assert subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path).returncode == 1


def test_a_users_program_runs(api: Api) -> None:
    environment = {**os.environ, "ATRIUM_URL": api.url, "ATRIUM_KEY": api.personal_key, "ATRIUM_ROOM": api.room_id}
    done = subprocess.run([sys.executable, USAGE], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "['I am.', 'Who is there?'] room_not_found\n[]\nGrafana\n1\nNone\n"
