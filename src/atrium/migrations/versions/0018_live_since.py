"""Positions of live streams say since which crash of the database they count."""

from pathlib import Path

from alembic import op

from atrium.migrations.script import run_script

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Run the SQL beside this file."""
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))
