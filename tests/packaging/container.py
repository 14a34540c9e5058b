"""Build the image with podman, and run it with compose.yaml."""

import re
from pathlib import Path

from tests.house.sources import ROOT
from tests.packaging.roots import CERTIFICATES, run, settings_of_podman, show
from tests.packaging.using import Organization, load_application, wait_until_ready

URL = "http://127.0.0.1:8700"
COMPOSE = ("podman-compose", "--project-name=atrium-check", f"--file={ROOT}/packaging/compose.yaml")
CONTAINER = "atrium-check_atrium_1"


def check_container(root: Path, folder: Path) -> None:
    """Start it, send a message, replace the container, find the message, stop it."""
    environment = settings_of_podman(folder)

    def podman(*words: str | Path) -> str:
        return run("podman", *words, **environment)

    build_image(root, folder, environment)
    try:
        run(*COMPOSE, "up", "--detach", **environment)
        wait_until_ready(URL)
        show(f"the container answers, with {load_application(URL)} files of the application")
        podman("healthcheck", "run", CONTAINER)
        made = podman("exec", CONTAINER, "atrium", "init", "--organization=Acme", "--email=ada@example.org", "--json")
        organization = Organization.from_output(URL, made)
        organization.send("before")
        run(*COMPOSE, "down", **environment)
        run(*COMPOSE, "up", "--detach", **environment)
        assert organization.texts() == ["before"]
        show("a new container has the message of the one before")
        podman("stop", "--time=60", CONTAINER)
        assert podman("inspect", "--format={{.State.ExitCode}}", CONTAINER).strip() == "0"
        show("the container stopped with 0")
    finally:
        run(*COMPOSE, "down", "--volumes", **environment)
        podman("rmi", "--all", "--force")


def build_image(root: Path, folder: Path, environment: dict[str, str]) -> None:
    """Build the image `atrium` as the guide says, on an image of the root under the name in the Containerfile."""
    file = ROOT / "packaging/Containerfile"
    [base] = re.findall(r"^FROM (\S+)$", file.read_text(), re.M)
    run("tar", f"--directory={root}", "--create", f"--file={folder}/root.tar", ".")
    run("podman", "import", folder / "root.tar", base, **environment)
    # pip reaches its packages as on this machine.
    here = ("--network=host", f"--volume={CERTIFICATES}:{CERTIFICATES}:ro", "--pull-never")
    run("podman", "build", "--format=docker", *here, f"--file={file}", "--tag=atrium", ROOT, **environment)
    show("podman built the image")
