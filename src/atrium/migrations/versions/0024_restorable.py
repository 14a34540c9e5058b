"""A plain dump can be restored, and rows can be replicated to another database."""

from pathlib import Path

from alembic import op

from atrium.migrations.script import run_script

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    """Run the SQL beside this file."""
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))
