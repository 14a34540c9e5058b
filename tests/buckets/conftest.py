"""A database with two buckets, however many the environment asks for, another disk, and a revision to come."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from atrium import migrations
from atrium.kit.settings import Settings
from atrium.migrations import NEWEST
from atrium.migrations import upgrade as upgrading
from tests.conftest import fresh_database, scratch_folder

REVISION = """
from pathlib import Path
from alembic import op
from atrium.migrations.script import run_script

revision = "9999"
down_revision = "{newest}"


def upgrade() -> None:
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))
"""
IN_EACH = """
alter table messages add column stars int not null default 0;
create index messages_by_stars on messages (room_id, stars);
"""


@pytest.fixture
def two_buckets(settings: Settings) -> Iterator[Settings]:
    """Yield settings of a database of the test's own with two buckets."""
    with fresh_database(settings, buckets=2) as own:
        yield own


@pytest.fixture
def other_disk(settings: Settings) -> Iterator[str]:
    """Yield the name of a tablespace. Ask for it before the database that uses it, so that it is empty in the end."""
    owner = (settings.data_dir / "postgres").stat()
    with scratch_folder() as folder, psycopg.connect(settings.database_url or "", autocommit=True) as db:
        shutil.chown(folder, owner.st_uid, owner.st_gid)
        db.execute(f"create tablespace other_disk location '{folder}'".encode())
        yield "other_disk"
        db.execute("drop tablespace other_disk")


@pytest.fixture
def later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let there be a later revision, which changes the messages of each bucket; return the folder of the revisions."""
    folder = Path(shutil.copytree(migrations.HERE, tmp_path / "migrations"))
    (folder / "versions" / "9999_stars.py").write_text(REVISION.format(newest=NEWEST))
    (folder / "versions" / "9999_stars.sql").write_text("create function stars_of(stars int) returns int return stars;")
    (folder / "versions" / "9999_stars.bucket.sql").write_text(IN_EACH)
    monkeypatch.setattr(upgrading, "HERE", folder)
    return folder
