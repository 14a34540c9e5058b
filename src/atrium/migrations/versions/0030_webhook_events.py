"""Webhook events of messages, rooms, members, people, recordings and the audit log."""

from pathlib import Path

from alembic import op

from atrium.migrations.script import run_script

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    """Run the SQL beside this file."""
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))
