"""Filters of words read a message in lower case once."""

from pathlib import Path

from alembic import op

from atrium.migrations.script import run_script

revision = "0039"
down_revision = "0038"


def upgrade() -> None:
    """Run the SQL beside this file."""
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))
