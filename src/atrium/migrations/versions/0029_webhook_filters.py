"""Filters of webhook subscriptions by what a message is, and messages in webhook events."""

from pathlib import Path

from alembic import op

from atrium.migrations.script import run_script

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    """Run the SQL beside this file."""
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))
