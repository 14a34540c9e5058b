"""Buckets: the tables that grow with the messages can exist several times."""

from pathlib import Path

from alembic import op

from atrium.migrations.script import run_script

revision = "0037"
down_revision = "0036"


def upgrade() -> None:
    """Run the SQL beside this file."""
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))
