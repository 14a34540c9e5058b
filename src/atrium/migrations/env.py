"""Run the revisions on the connection of `migrate`, inside its transaction."""

from alembic import context

connection = context.config.attributes["connection"]
context.configure(connection=connection)
context.run_migrations()
