"""The SQL for the time up to which expired data is deleted. Deliveries are deleted by it, too (webhooks/queries.py)."""

# Parameters: $1 now
# Returns: behind
ADVANCE = "update removal set until = least($1, until + interval '1 hour') returning $1 - until as behind"
