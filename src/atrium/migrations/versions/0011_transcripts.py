"""Transcripts of recordings, their versions, and the work of transcribing."""

from pathlib import Path

from alembic import op

from atrium.migrations.script import run_script

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Run the SQL beside this file."""
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))
