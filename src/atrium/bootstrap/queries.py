"""The SQL of the first organization."""

from atrium.kit.postgres import locks

LOCK = f"select pg_advisory_xact_lock({locks.FIRST_ORGANIZATION})"

# Returns: exists
HAS_ORGANIZATION = "select exists (select from organizations)"
