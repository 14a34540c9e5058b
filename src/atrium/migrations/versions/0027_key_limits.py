"""What a key may do, and from where."""

from pathlib import Path

from alembic import op

from atrium.migrations.script import run_script

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    """Run the SQL beside this file."""
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))
