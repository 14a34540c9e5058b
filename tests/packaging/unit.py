"""Boot systemd in a root, and run the unit there."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from tests.conftest import free_port
from tests.house.sources import ROOT
from tests.packaging.releases import NEXT_REVISION, build_next_wheel
from tests.packaging.roots import CERTIFICATES, run, show
from tests.packaging.using import Organization, load_application, wait_until_ready
from tests.wait_until import wait_until

PIP = ("/opt/atrium/bin/pip", "install", "--quiet", "--no-compile", "--no-deps")
ATRIUM = ("runuser", "--user=atrium", "--", "env", "ATRIUM_DATA_DIR=/var/lib/atrium", "/opt/atrium/bin/atrium")
NSPAWN = ("systemd-nspawn", "--quiet", "--register=no", "--keep-unit", f"--bind-ro={CERTIFICATES}")


def check_unit(root: Path, folder: Path, wheel: Path) -> None:
    """Start the unit, restart it, boot the machine again, upgrade Atrium and stop it; the messages stay."""
    unit, url = folder / "unit", f"http://127.0.0.1:{free_port()}"
    machine = install(root, unit, wheel, url)
    with booted_machine(machine) as inside:
        wait_until_ready(url)
        show(f"systemd started the unit, with {load_application(url)} files of the application")
        made = inside(*ATRIUM, "init", "--organization=Acme", "--email=ada@example.org", "--json")
        organization = Organization.from_output(url, made)
        organization.send("before")
        inside("systemctl", "restart", "atrium")
        assert organization.texts() == ["before"]
        show("after a restart the message is there")
    with booted_machine(machine) as inside:
        assert organization.texts() == ["before"]
        show("after a boot it is there")
        later = shutil.copy(build_next_wheel(folder / "next"), unit / "opt")
        inside(*PIP, f"/opt/{Path(later).name}")
        inside("systemctl", "restart", "atrium")
        organization.send("after")
        assert organization.texts() == ["before", "after"]
        assert f"revision {NEXT_REVISION}, up to date" in inside(*ATRIUM, "doctor")
        show("a made-up next release upgraded the data")
        inside("systemctl", "stop", "atrium")
        ended = inside("systemctl", "show", "atrium", "--property=Result,ExecMainStatus,NRestarts").split()
        assert sorted(ended) == ["ExecMainStatus=0", "NRestarts=0", "Result=success"], ended
        show("systemd stopped it: success, 0, never restarted for a failure")


def install(root: Path, unit: Path, wheel: Path, url: str) -> tuple[str, ...]:
    """Install Atrium in a copy of the root as the guide to operating says; return the command that runs there."""
    run("rm", "--recursive", "--force", unit)
    run("cp", "--archive", root, unit)
    for file in (wheel, ROOT / "requirements.txt"):
        shutil.copy(file, unit / "opt")
    shutil.copy(ROOT / "packaging/atrium.service", unit / "etc/systemd/system")
    (unit / "etc/atrium.env").write_text(f"ATRIUM_PORT={url.rpartition(':')[2]}\n")
    machine = (*NSPAWN, f"--directory={unit}")
    run(*machine, "python3", "-m", "venv", "/opt/atrium")
    run(*machine, *PIP, "--require-hashes", "--requirement=/opt/requirements.txt")
    run(*machine, *PIP, f"/opt/{wheel.name}")
    run(*machine, "useradd", "--system", "atrium")
    run(*machine, "systemctl", "--quiet", "enable", "atrium")
    show("pip installed the wheel in a root with systemd")
    return machine


@contextmanager
def booted_machine(machine: tuple[str, ...]) -> Iterator[Callable[..., str]]:
    """Boot systemd, yield a function that runs a command there, and halt."""
    with subprocess.Popen(
        [*machine, "--boot"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            [systemd] = wait_until(psutil.Process(process.pid).children, "systemd boots")

            def inside(*command: str) -> str:
                return run("nsenter", f"--target={systemd.pid}", "--mount", "--uts", "--ipc", "--pid", *command)

            yield inside
        finally:
            process.terminate()
