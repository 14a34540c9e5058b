"""Who, where, what is said: the schema of the first release."""

from pathlib import Path

from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Run the SQL beside this file."""
    op.get_bind().connection.driver_connection.execute(Path(__file__).with_suffix(".sql").read_text())
