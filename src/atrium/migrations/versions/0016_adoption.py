"""Accounts that somebody else made are adopted only by proof of their mailbox."""

from pathlib import Path

from alembic import op

from atrium.migrations.script import run_script

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Run the SQL beside this file."""
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))
