"""The SQL of deleting: the time up to which data expires, and what remains of deleted rooms and spaces.

Deliveries and abandoned imports end by that time, too (webhooks/log/queries.py, imports/job_queries.py).
"""

# Parameters: $1 now
# Returns: cutoff
ADVANCE = """
insert into removal as r (until) values ($1)
on conflict (one) do update set until = greatest(least($1, r.until + interval '1 hour'), r.until - interval '1 hour')
returning least($1, until) as cutoff
"""

# Some rooms that were deleted, alone or with their space. `is_last`: it is so long ago that no request that does not
# know of it still runs.
# Parameters: $1 now, $2 now minus the longest time of a request, $3 the last room_id before, $4 limit
# Returns: room_id, is_last
DELETED_ROOMS = """
select r.room_id, coalesce(r.deleted_at, s.deleted_at) < $2::timestamptz as is_last
from rooms r join spaces s using (space_id)
where coalesce(r.deleted_at, s.deleted_at) < $1::timestamptz and r.room_id > $3
order by r.room_id limit $4
"""

# The statements that delete some rows of rooms, one for each table, with the rooms as their parameter.
# Parameters: $1 tables
# Returns: statement
PURGES = """
select format('delete from %1$I where ctid = any(array('
              'select ctid from %1$I where %2$I = any($1::uuid[]) limit 5000))', t,
              case when t = 'idempotency_keys' then 'scope_id' else 'room_id' end) as statement
from unnest($1::text[]) t
"""

# Remove the last of rooms: their events for live streams, except that they were deleted, where they were imported from,
# and their names.
# Parameters: $1 room_ids
REMOVE_ROOMS = """
with forgotten as (
    delete from live_events where room_id = any($1::uuid[]) and kind <> 'room.deleted'
), unimported as (
    delete from imported where internal_id = any($1::uuid[])
)
delete from rooms where room_id = any($1::uuid[])
"""

# Spaces without rooms that were deleted; one into which an import still runs comes later.
# Parameters: $1 latest deleted_at
# Returns: space_id
DELETED_SPACES = """
select space_id from spaces s
where deleted_at < $1 and not exists (select from rooms r where r.space_id = s.space_id)
  and not exists (select from imports i where i.space_id = s.space_id and i.ended_at is null)
"""

# Remove the roles in deleted spaces, the invitations into them, and the records of the imports into them.
# Parameters: $1 space_ids
EMPTY_SPACES = """
with roles as (
    delete from space_grants where space_id = any($1::uuid[])
), roles_of_groups as (
    delete from space_group_grants where space_id = any($1::uuid[])
), invited as (
    delete from invitation_spaces where space_id = any($1::uuid[])
), imports_into as (
    delete from imports where space_id = any($1::uuid[])
), answers as (
    delete from idempotency_keys where scope_id = any($1::uuid[])
)
delete from live_events where space_id = any($1::uuid[]) and kind <> 'room.deleted'
"""

# Parameters: $1 space_ids
REMOVE_SPACES = "delete from spaces where space_id = any($1::uuid[])"
