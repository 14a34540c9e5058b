"""How a revision runs its SQL."""

from pathlib import Path

import psycopg
from sqlalchemy import Connection

from atrium.migrations.buckets import in_bucket, numbers


def run_script(connection: Connection, script: Path) -> None:
    """Run a file of SQL statements as it stands, in the transaction of the migration.

    `NAME.bucket.sql` runs after `NAME.sql`, once in each bucket: it changes the tables of a bucket, and names them
    without a schema. Functions and types are made in `NAME.sql`, once.
    """
    db = driver_of(connection)
    db.execute(script.read_bytes())
    of_bucket = script.with_suffix(".bucket.sql")
    if of_bucket.exists():
        for number in numbers(db):
            with in_bucket(db, number):
                db.execute(of_bucket.read_bytes())


def driver_of(connection: Connection) -> psycopg.Connection:
    """Return the driver's connection of a transaction that changes the schema."""
    driver = connection.connection.driver_connection
    if not isinstance(driver, psycopg.Connection):
        raise TypeError("migrations run on psycopg")
    return driver
