"""The queue of deliveries is found by its key, however empty it was when a plan was made."""

from pathlib import Path

from alembic import op

from atrium.migrations.script import run_script

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Run the SQL beside this file."""
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))
