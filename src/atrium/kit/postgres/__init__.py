"""PostgreSQL: connections, rows, batching, advisory locks, and the embedded server."""
