"""The SQL of the first organization."""

LOCK = "select pg_advisory_xact_lock(4125876)"

ANY = "select exists (select from organizations)"
