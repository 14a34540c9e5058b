"""The wheel is the complete service in an empty virtual environment and an empty folder."""

import os
import re
import subprocess
import sys
import sysconfig
import time
import venv
from collections.abc import Iterator
from email import message_from_bytes
from importlib.metadata import distribution
from pathlib import Path
from zipfile import ZipFile

import httpx
import pytest
from packaging.requirements import Requirement

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
    """Install the wheel with its own dependencies in the pinned versions; return the command.

    pip checks the dependencies and their versions. It finds them linked from here, because downloading and unpacking
    them takes a minute.
    """
    with scratch_folder() as folder:
        pins = re.findall(r"^[\w.\[\],-]+==[^ ;\\]+", (ROOT / "requirements.txt").read_text(), re.M)
        (folder / "pins.txt").write_text("\n".join(pins))
        venv.create(folder / "venv", with_pip=False)
        link_dependencies(wheel, folder / "venv")
        python = folder / "venv/bin/python"
        command = [
            sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-compile", "--no-index",
            "--constraint", folder / "pins.txt", wheel,
        ]  # fmt: skip
        subprocess.run(command, check=True, timeout=1000, cwd=folder)
        yield folder / "venv/bin/atrium"


def link_dependencies(wheel: Path, environment: Path) -> None:
    """Link the files of everything that the wheel requires, and what that requires, into an environment."""
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(environment)}))
    [metadata] = [name for name in ZipFile(wheel).namelist() if name.endswith(".dist-info/METADATA")]
    wanted = required(message_from_bytes(ZipFile(wheel).read(metadata)).get_all("Requires-Dist"), "")
    done = set[tuple[str, str]]()
    while wanted:
        name, extra = each = wanted.pop()
        if each in done:
            continue
        done.add(each)
        package = distribution(name)
        wanted |= required(package.requires, extra)
        for file in package.files or ():
            if ".." not in file.parts and not (place := packages / file).exists():
                place.parent.mkdir(parents=True, exist_ok=True)
                place.symlink_to(file.locate())


def required(requirements: list[str] | None, extra: str) -> set[tuple[str, str]]:
    """Return the packages of the requirements that apply here with that extra, each with the extras asked of it."""
    applied = [
        each for each in map(Requirement, requirements or ())
        if each.marker is None or each.marker.evaluate({"extra": extra})
    ]  # fmt: skip
    return {(each.name, more) for each in applied for more in ("", *each.extras)}


def test_the_wheel_contains_the_application_and_no_development_files(wheel: Path) -> None:
    names = ZipFile(wheel).namelist()
    assert "atrium/server/ui/index.html" in names
    assert any(re.fullmatch(r"atrium/server/ui/assets/.+\.js", name) for name in names)
    assert {f"atrium/migrations/{name}.sql" for name in ("tables/10_people", "functions/role_in")} <= {*names}
    assert {name.partition("/")[0] for name in names} == {"atrium", f"atrium-{__version__}.dist-info"}


@pytest.mark.contract("Backups, packages, upgrades 5")
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
