"""The timelines of the cluster, which tell whether a replica follows the primary."""

from pathlib import Path

from alembic import op

from atrium.migrations.script import run_script

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    """Run the SQL beside this file."""
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))
