"""The wheel of this release, and that of a made-up next one."""

import shutil
import subprocess
import sys
from pathlib import Path

from atrium import __version__
from atrium.migrations import NEWEST
from tests.house.sources import ROOT

NEXT = "99.0"
NEXT_REVISION = f"{int(NEWEST) + 1:04}"
REVISION = f'''"""A table more."""

from alembic import op

revision, down_revision = "{NEXT_REVISION}", "{NEWEST}"


def upgrade() -> None:
    """Create it."""
    op.execute("create table of_the_next_release (id bigint primary key)")
'''


def build(folder: Path, target: str, source: Path = ROOT) -> Path:
    """Build the target `wheel` or `sdist` as `make release` does."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", folder]
    subprocess.run(command, cwd=source, check=True, timeout=120, capture_output=True)
    [made] = folder.glob("atrium-*")
    return made


def build_next_wheel(folder: Path) -> Path:
    """Build the wheel of a later release, whose schema has another revision."""
    source = folder / "source"
    shutil.copytree(ROOT / "src", source / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for name in ("pyproject.toml", "src/atrium/__init__.py"):
        text = (source / name).read_text()
        assert text.count(f'"{__version__}"') == 1
        (source / name).write_text(text.replace(f'"{__version__}"', f'"{NEXT}"'))
    (source / f"src/atrium/migrations/versions/{NEXT_REVISION}_next_release.py").write_text(REVISION)
    return build(folder / "dist", "wheel", source)
