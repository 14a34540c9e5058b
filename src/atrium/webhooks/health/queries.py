"""The SQL of the health of webhooks."""

# Adds what a worker has counted to the hours of webhooks. The rows are locked in one order, whichever workers write the
# same ones. Reads nothing else.
# Parameters: $1 to $5 arrays: webhook_id, hour, attempts, succeeded, durations (each the text of an array)
RECORD = """
insert into webhook_health as known (webhook_id, hour, attempts, succeeded, durations)
select webhook_id, hour, attempts, succeeded, durations::int[]
from unnest($1::uuid[], $2::timestamptz[], $3::int[], $4::int[], $5::text[])
     as counted (webhook_id, hour, attempts, succeeded, durations)
order by webhook_id, hour
on conflict (webhook_id, hour) do update
set attempts = known.attempts + excluded.attempts, succeeded = known.succeeded + excluded.succeeded,
    durations = array(select coalesce(before, 0) + coalesce(fresh, 0)
                      from unnest(known.durations, excluded.durations) with ordinality as bucket (before, fresh, nr)
                      order by nr)
"""

# Reads one webhook's hours, at most 720 of them.
# Parameters: $1 webhook_id, $2 the first hour
# Returns: hour, attempts, succeeded, durations
HOURS = """
select hour, attempts, succeeded, durations from webhook_health where webhook_id = $1 and hour >= $2
"""

# What waits in one webhook's queue: at most $3 of its rows, those that are due first, by the index.
# Parameters: $1 webhook_id, $2 now, $3 limit
# Returns: due, under_way, retrying, replaying, oldest_due_at, has_more
BACKLOG = """
select count(*) filter (where due_at <= $2) as due,
       count(*) filter (where due_at > $2 and leased) as under_way,
       count(*) filter (where due_at > $2 and not leased and attempts_made > 0) as retrying,
       count(*) filter (where due_at > $2 and not leased and attempts_made = 0) as replaying,
       min(due_at) filter (where due_at <= $2) as oldest_due_at, count(*) >= $3 as has_more
from (select due_at, leased, attempts_made from due_deliveries where webhook_id = $1 order by due_at limit $3) waiting
"""

# Parameters: $1 the first hour that stays
DELETE_OLD = "delete from webhook_health where hour < $1"
