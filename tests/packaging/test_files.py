"""The files for container engines, compose and systemd, checked by their tools."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ATRIUM
from tests.house.sources import ROOT

PACKAGING = ROOT / "packaging"
BIN = Path(sys.executable).parent
MAX_EXPOSURE = 15  # tenths of a point, of 100; systemd rates up to 20 "OK"


def clean(*command: str | Path) -> str:
    """Return the output of the command; assert that it found nothing."""
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, env={**os.environ, "NO_COLOR": "1"}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.contract("Backups, packages, upgrades 6")
@pytest.mark.parametrize("file", ["Containerfile", "Containerfile.patroni"])
def test_the_container_file_passes_its_linter(file: str) -> None:
    assert clean(BIN / "hadolint", PACKAGING / file) == ""


def test_the_linter_finds_an_error(tmp_path: Path) -> None:
    (tmp_path / "Containerfile").write_text("FROM python\nRUN cd /tmp && pip install atrium\n")
    with pytest.raises(AssertionError, match="DL3006"):
        clean(BIN / "hadolint", tmp_path / "Containerfile")


@pytest.mark.contract("Backups, packages, upgrades 6")
def test_the_compose_files_follow_the_compose_specification() -> None:
    checked = PACKAGING.glob("compose*.yaml")
    clean(BIN / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", *checked)


def test_an_unknown_field_in_a_compose_file_is_found(tmp_path: Path) -> None:
    (tmp_path / "compose.yaml").write_text("services: {atrium: {image: atrium, prots: []}}\n")
    with pytest.raises(AssertionError, match="prots"):
        clean(BIN / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", tmp_path / "compose.yaml")


def test_the_build_context_contains_the_files_of_the_image() -> None:
    """The build sees only what .dockerignore allows."""
    bound = re.findall(r"source=([\w./-]+)", (PACKAGING / "Containerfile").read_text())
    let = [line.removeprefix("!") for line in (ROOT / ".dockerignore").read_text().split() if line.startswith("!")]
    assert bound == ["requirements.txt", "dist"]
    assert [each.partition("/")[0] for each in let] == bound


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """Return the unit, with the command's path on this machine."""
    text = (PACKAGING / "atrium.service").read_text()
    assert text.count("/opt/atrium/bin/atrium") == 1
    (tmp_path / "atrium.service").write_text(text.replace("/opt/atrium/bin/atrium", str(ATRIUM)))
    return tmp_path / "atrium.service"


needs_systemd = pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="`make verify` installs systemd-analyze")


@pytest.mark.contract("Backups, packages, upgrades 6")
@needs_systemd
def test_systemd_accepts_the_unit(unit: Path) -> None:
    clean("systemd-analyze", "verify", unit)


@needs_systemd
def test_the_unit_is_sandboxed(unit: Path) -> None:
    clean("systemd-analyze", "security", "--offline=true", f"--threshold={MAX_EXPOSURE}", unit)


@needs_systemd
def test_systemd_reports_an_invalid_unit(unit: Path) -> None:
    unit.write_text("[Service]\nExecStart=/nowhere/atrium serve\n")
    with pytest.raises(AssertionError, match="nowhere"):
        clean("systemd-analyze", "verify", unit)
    with pytest.raises(AssertionError, match="exposure"):
        clean("systemd-analyze", "security", "--offline=true", f"--threshold={MAX_EXPOSURE}", unit)
