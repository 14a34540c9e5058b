"""Signing in: browser sessions, passwords, one-time links, identities elsewhere."""

from pathlib import Path

from alembic import op

from atrium.migrations.script import run_script

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Run the SQL beside this file."""
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))
