"""How a revision runs its SQL."""

from pathlib import Path

import psycopg
from sqlalchemy import Connection


def run_script(connection: Connection, script: Path) -> None:
    """Run a file of SQL statements as it stands, in the transaction of the migration."""
    driver_of(connection).execute(script.read_bytes())


def driver_of(connection: Connection) -> psycopg.Connection:
    """Return the driver's connection of a transaction that changes the schema."""
    driver = connection.connection.driver_connection
    if not isinstance(driver, psycopg.Connection):
        raise TypeError("migrations run on psycopg")
    return driver
