"""What waits for a room or a space that was deleted ends as missed."""

from pathlib import Path

from alembic import op

from atrium.migrations.script import run_script

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Run the SQL beside this file."""
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))
