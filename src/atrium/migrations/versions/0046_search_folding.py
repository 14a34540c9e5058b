"""Search documents are written again when the folding of words changes."""

from pathlib import Path

from alembic import op

from atrium.migrations.script import run_script

revision = "0046"
down_revision = "0044"


def upgrade() -> None:
    """Run the SQL beside this file."""
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))
