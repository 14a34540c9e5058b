"""Email: the queue in the database, and SMTP."""
