"""People accept the organizations that add their accounts."""

from pathlib import Path

from alembic import op

from atrium.migrations.script import run_script

revision = "0044"
down_revision = "0043"


def upgrade() -> None:
    """Run the SQL beside this file."""
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))
