"""The wheel is the complete service in an empty virtual environment and an empty folder."""

import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from importlib.metadata import distribution
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement

from atrium import __version__
from atrium.server.ui import is_built
from tests.conftest import free_port, scratch_folder
from tests.house.sources import ROOT
from tests.packaging.releases import NEXT, NEXT_REVISION, build, build_next_wheel
from tests.packaging.using import Organization, load_application, wait_until_ready

pytestmark = [
    pytest.mark.timeout(1200),
    pytest.mark.skipif(not is_built(), reason="the web application is not built"),
]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("dist"), "wheel")


@pytest.fixture(scope="module")
def atrium(wheel: Path) -> Iterator[Path]:
    with scratch_folder() as folder:
        yield install(wheel, folder)


def install(wheel: Path, folder: Path) -> Path:
    """Install the wheel with its own dependencies in the pinned versions; return the command.

    pip checks the dependencies and their versions. It finds them linked from here, because downloading and unpacking
    them takes a minute.
    """
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
    return folder / "venv/bin/atrium"


def link_dependencies(wheel: Path, environment: Path) -> None:
    """Link the files of everything that the wheel requires, directly or not, into an environment."""
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(environment)}))
    [metadata] = [name for name in ZipFile(wheel).namelist() if name.endswith(".dist-info/METADATA")]
    wanted = requirements_of(message_from_bytes(ZipFile(wheel).read(metadata)).get_all("Requires-Dist"), "")
    done = set[tuple[str, str]]()
    while wanted:
        name, extra = each = wanted.pop()
        if each in done:
            continue
        done.add(each)
        package = distribution(name)
        wanted |= requirements_of(package.requires, extra)
        for file in package.files or ():
            if ".." not in file.parts and not (place := packages / file).exists():
                place.parent.mkdir(parents=True, exist_ok=True)
                place.symlink_to(file.locate())


def requirements_of(requirements: list[str] | None, extra: str) -> set[tuple[str, str]]:
    """Return the packages of the requirements that apply here with that extra, each with the extras asked of it."""
    applied = [
        each
        for each in map(Requirement, requirements or ())
        if each.marker is None or each.marker.evaluate({"extra": extra})
    ]
    return {(each.name, more) for each in applied for more in ("", *each.extras)}


def test_the_wheel_contains_the_application_and_no_development_files(wheel: Path) -> None:
    names = ZipFile(wheel).namelist()
    assert "atrium/server/ui/index.html" in names
    assert any(re.fullmatch(r"atrium/server/ui/assets/.+\.js", name) for name in names)
    assert {f"atrium/migrations/{name}.sql" for name in ("tables/10_people", "functions/role_in")} <= {*names}
    assert {name.partition("/")[0] for name in names} == {"atrium", f"atrium-{__version__}.dist-info"}


def test_the_sources_are_those_of_the_repository(tmp_path: Path) -> None:
    """Nothing that is built or downloaded, and the guides a second time, where the package has a link to them."""
    if not (ROOT / ".git").exists():
        pytest.skip("these sources were unpacked, not cloned")
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    own = {name for name in listed.stdout.split("\n") if (ROOT / name).is_file()}
    guides = {f"src/atrium/server/texts/guides/{each.name}" for each in (ROOT / "docs/guides").iterdir()}
    with tarfile.open(build(tmp_path, "sdist")) as archive:
        packed = {each.name.partition("/")[2] for each in archive}
    assert packed - own == guides | {"PKG-INFO"}
    assert own - packed == set()


@dataclass
class Server:
    """A data folder, and the commands of an installed wheel on it."""

    folder: Path
    url: str = field(default_factory=lambda: f"http://127.0.0.1:{free_port()}")

    @property
    def environment(self) -> dict[str, str]:
        own = {key: value for key, value in os.environ.items() if not key.startswith(("ATRIUM_", "PYTHON"))}
        return own | {"ATRIUM_DATA_DIR": str(self.folder / "data"), "ATRIUM_PORT": self.url.rpartition(":")[2]}

    def run(self, *command: str | Path, check: bool = True) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=check, timeout=240
        )

    @contextmanager
    def running(self, atrium: Path) -> Iterator[None]:
        """Run `atrium serve` while the context is open; it ends with 0."""
        command = [atrium, "serve"]
        with subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=subprocess.DEVNULL) as server:
            try:
                wait_until_ready(self.url)
                yield
            finally:
                server.terminate()
                server.wait(60)
        assert server.returncode == 0


def initialize(server: Server, atrium: Path) -> Organization:
    made = server.run(atrium, "init", "--organization", "Acme", "--email", "ada@example.org", "--json")
    return Organization.from_output(server.url, made.stdout)


@pytest.mark.contract("Backups, packages, upgrades 5")
def test_the_wheel_starts_a_server_with_its_application_in_an_empty_folder(atrium: Path) -> None:
    with scratch_folder() as folder:
        server = Server(folder)
        assert server.run(atrium, "--version").stdout == f"Atrium {__version__}\n"
        organization = initialize(server, atrium)
        with server.running(atrium):
            organization.send("hello")
            assert organization.texts() == ["hello"]
            load_application(server.url)
            server.run(atrium, "backup", "atrium.backup")
        assert sorted(each.name for each in folder.iterdir()) == ["atrium.backup", "data"]


@pytest.mark.contract("Backups, packages, upgrades 7")
def test_the_next_release_continues_with_the_data_of_this_one(atrium: Path, tmp_path: Path) -> None:
    """This one then refuses the data."""
    with scratch_folder() as folder, scratch_folder() as home:
        later, server = install(build_next_wheel(tmp_path), home), Server(folder)
        organization = initialize(server, atrium)
        with server.running(atrium):
            organization.send("before")
        with server.running(later):
            organization.send("after")
            assert organization.texts() == ["before", "after"]
            assert f"revision {NEXT_REVISION}, up to date" in server.run(later, "doctor").stdout
        refused = server.run(atrium, "serve", check=False)
        assert refused.returncode == 1
        assert f"another release of Atrium: {NEXT}" in refused.stderr
