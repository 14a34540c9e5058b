"""Roots of Debian's packages: what the container's base image has, and systemd."""

import os
import resource
import subprocess
import time
from pathlib import Path

PACKAGES = ("ca-certificates", "dbus", "python-is-python3", "python3-pip", "python3-venv", "systemd", "systemd-sysv")
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
BEGAN = time.monotonic()


def show(text: str) -> None:
    """Print a step with its time."""
    print(f"{time.monotonic() - BEGAN:5.0f} s  {text}", flush=True)


def run(*command: str | Path, **environment: str) -> str:
    """Run a command and return its output; print it if the command fails."""
    done = subprocess.run(
        command,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def create_root(folder: Path) -> Path:
    """Create a root like the image of Python that the Containerfile begins with, unless an earlier run has."""
    root, made = folder / "root", folder / "root.made"
    if not made.exists():
        run("rm", "--recursive", "--force", root)
        run("debootstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}", "bookworm", root)
        run("chroot", root, "apt-get", "clean")
        # The image has a Python of its own, into which pip may install.
        (root / "usr/lib/python3.11/EXTERNALLY-MANAGED").unlink()
        made.touch()
    show("debootstrap made a root of Debian 12's packages")
    return root


def settings_of_podman(folder: Path) -> dict[str, str]:
    """Return the environment in which podman keeps everything in `folder`, also on a machine without systemd."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    (folder / "storage.conf").write_text(
        f'[storage]\ndriver = "overlay"\nrunroot = "{folder}/run"\ngraphroot = "{folder}/storage"\n'
    )
    (folder / "containers.conf").write_text(
        f'[containers]\ndefault_ulimits = ["nofile={soft}:{hard}", "nproc=4096:4096"]\n'
        '[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n'
    )
    return {
        "CONTAINERS_STORAGE_CONF": str(folder / "storage.conf"),
        "CONTAINERS_CONF": str(folder / "containers.conf"),
        "DISABLE_HC_SYSTEMD": "true",
    }
