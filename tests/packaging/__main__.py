"""Run the packages as their users do: the container with compose, and the unit under systemd.

Needs root and the programs that `make packages-check` installs. All files are in a folder, /var/tmp/atrium-packages
unless another is named; a second run uses the root again that is there.
"""

import argparse
import os
import shutil
from pathlib import Path

from tests.house.sources import ROOT
from tests.packaging.container import check_container
from tests.packaging.roots import create_root
from tests.packaging.unit import check_unit

PROGRAMS = ("debootstrap", "podman", "podman-compose", "runc", "systemd-nspawn")


def main() -> None:
    """Run both, or what is named."""
    parser = argparse.ArgumentParser(prog="python -m tests.packaging", description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("/var/tmp/atrium-packages"))
    parser.add_argument("only", nargs="*", default=["container", "unit"])
    options = parser.parse_args()
    if os.geteuid() != 0 or not all(map(shutil.which, PROGRAMS)):
        raise SystemExit(f"This needs root and {', '.join(PROGRAMS)}.")
    options.folder.mkdir(parents=True, exist_ok=True)
    root = create_root(options.folder)
    if "container" in options.only:
        check_container(root, options.folder)
    if "unit" in options.only:
        [wheel] = (ROOT / "dist").glob("atrium-*.whl")
        check_unit(root, options.folder, wheel)


if __name__ == "__main__":
    main()
