"""The tables of the first release."""

from alembic import op

from atrium.migrations import HERE
from atrium.migrations.upgrade import driver_of

revision = "0001"
down_revision = None

# The tables call two of these functions. A restore calls the others before it makes those of its own release.
NEEDED = ("included_message", "render_message", "id_floor", "keep_deliveries")


def upgrade() -> None:
    """Run the SQL of the types, of the functions that tables need, and of the tables."""
    db = driver_of(op.get_bind())
    types, *tables = sorted((HERE / "tables").glob("*.sql"))
    for script in (types, *(HERE / "functions" / f"{name}.sql" for name in NEEDED), *tables):
        db.execute(script.read_bytes())
