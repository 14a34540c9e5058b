"""The SQL for the time up to which expired data is deleted.

Deliveries and abandoned imports end by it, too (webhooks/queries.py, imports/job_queries.py).
"""

# Parameters: $1 now
# Returns: expired
ADVANCE = """
insert into removal as r (until) values ($1)
on conflict (one) do update set until = greatest(least($1, r.until + interval '1 hour'), r.until - interval '1 hour')
returning least($1, until) as expired
"""
