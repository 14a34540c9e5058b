"""The wheel is the complete service in an empty virtual environment and an empty folder."""

import os
import re
import subprocess
import sys
import time
import venv
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import httpx
import pytest

from atrium import __version__
from atrium.server.ui import is_built
from tests.conftest import free_port, scratch_folder
from tests.house.sources import ROOT

pytestmark = [
    pytest.mark.timeout(1200),
    pytest.mark.skipif(not is_built(), reason="the web application is not built"),
]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel as `make wheel` does."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder]
    subprocess.run(command, cwd=ROOT, check=True, timeout=120, capture_output=True)
    [made] = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def atrium(wheel: Path) -> Iterator[Path]:
    """Install the wheel with its own dependencies in the pinned versions; return the command."""
    with scratch_folder() as folder:
        pins = re.findall(r"^[\w.\[\],-]+==[^ ;\\]+", (ROOT / "requirements.txt").read_text(), re.M)
        (folder / "pins.txt").write_text("\n".join(pins))
        venv.create(folder / "venv", with_pip=True)
        command = [
            folder / "venv/bin/python",
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-compile",
            "--constraint",
            folder / "pins.txt",
            wheel,
        ]
        subprocess.run(command, check=True, timeout=1000, cwd=folder)
        yield folder / "venv/bin/atrium"


def test_the_wheel_contains_the_application_and_no_development_files(wheel: Path) -> None:
    names = ZipFile(wheel).namelist()
    assert "atrium/server/ui/index.html" in names
    assert any(re.fullmatch(r"atrium/server/ui/assets/.+\.js", name) for name in names)
    assert "atrium/migrations/versions/0001_foundation.sql" in names
    assert {name.partition("/")[0] for name in names} == {"atrium", f"atrium-{__version__}.dist-info"}


def test_the_wheel_starts_a_server_with_its_application_in_an_empty_folder(atrium: Path) -> None:
    with scratch_folder() as folder:
        port = free_port()
        own = {key: value for key, value in os.environ.items() if not key.startswith(("ATRIUM_", "PYTHON"))}
        environment = own | {"ATRIUM_DATA_DIR": str(folder / "data"), "ATRIUM_PORT": str(port)}

        def run(*words: str) -> str:
            return subprocess.run(
                [atrium, *words], cwd=folder, env=environment, capture_output=True, text=True, check=True, timeout=120
            ).stdout

        assert run("--version") == f"Atrium {__version__}\n"
        made = run("init", "--organization", "Acme", "--email", "ada@example.org", "--json")
        key, room = re.findall(r'"personal_key": "(\w+)"', made)[0], re.findall(r'"room_id": "([\w-]+)"', made)[0]
        with subprocess.Popen([atrium, "serve"], cwd=folder, env=environment, stdout=subprocess.DEVNULL) as server:
            try:
                with client(port, key) as http:
                    use(http, room)
                run("backup", "atrium.backup")
            finally:
                server.terminate()
                server.wait(60)
        assert server.returncode == 0
        assert sorted(each.name for each in folder.iterdir()) == ["atrium.backup", "data"]


def client(port: int, key: str) -> httpx.Client:
    """Return a client of the server once it is up."""
    url = f"http://127.0.0.1:{port}"
    deadline = time.monotonic() + 240  # creating a database takes a while on a busy machine
    while True:
        try:
            httpx.get(f"{url}/healthz", timeout=5)
        except httpx.TransportError:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        else:
            return httpx.Client(base_url=url, headers={"authorization": f"Bearer {key}"}, timeout=30)


def use(http: httpx.Client, room: str) -> None:
    """Use the API, and load everything that the page names."""
    assert http.post(f"/v2/rooms/{room}/messages", json={"text": "hello"}).status_code == 201
    assert http.get(f"/v2/rooms/{room}/messages").json()["messages"][0]["text"] == "hello"
    page = http.get("/", headers={"accept": "text/html"}).text
    named = re.findall(r'(?:src|href)="(/assets/[^"]+)"', page)
    assert named
    assert [http.get(path).status_code for path in named] == [200] * len(named)
    assert http.get("/docs").status_code == 200
