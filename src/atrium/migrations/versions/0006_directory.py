"""The directory: what it says of people, groups, their members, and the roles that groups hold in spaces."""

from pathlib import Path

from alembic import op

from atrium.migrations.script import run_script

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Run the SQL beside this file."""
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))
