"""Who, where, what is said: the schema of the first release."""

from pathlib import Path

from alembic import op

from atrium.migrations.script import run_script

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Run the SQL beside this file."""
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))
