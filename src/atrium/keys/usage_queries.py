"""The SQL of the usage of keys."""

# Add counts to those of other processes. The rows are locked in the order of the primary key, so that two processes do
# not wait for each other. Browser sessions are not counted.
# Parameters: $1 api_key_ids, $2 days, $3 methods, $4 routes, $5 scopes (of each, with spaces between them),
# $6 requests, $7 forbidden, $8 limited
ADD_COUNTS = """
insert into key_usage as so_far (api_key_id, day, method, route, scopes, requests, forbidden, limited)
select counted.api_key_id, counted.day, counted.method, counted.route, string_to_array(counted.scopes, ' '),
       counted.requests, counted.forbidden, counted.limited
from unnest($1::uuid[], $2::date[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[])
     as counted (api_key_id, day, method, route, scopes, requests, forbidden, limited)
join api_keys k on k.api_key_id = counted.api_key_id and not k.is_session
order by 1, 2, 3, 4, 5
on conflict (api_key_id, day, method, route, scopes) do update
set requests = so_far.requests + excluded.requests, forbidden = so_far.forbidden + excluded.forbidden,
    limited = so_far.limited + excluded.limited
"""

# Parameters: $1 api_key_ids, $2 addresses, $3 last_seen_at (of each)
ADD_ADDRESSES = """
insert into key_addresses as known (api_key_id, address, last_seen_at)
select seen.api_key_id, seen.address::inet, seen.at
from unnest($1::uuid[], $2::text[], $3::timestamptz[]) as seen (api_key_id, address, at)
join api_keys k on k.api_key_id = seen.api_key_id and not k.is_session
order by 1, 2
on conflict (api_key_id, address) do update
set last_seen_at = greatest(known.last_seen_at, excluded.last_seen_at)
"""

# Keep the newest addresses of each key. One that is seen again meanwhile stays. The rows are locked in the order of the
# primary key, as those that another process adds are.
# Parameters: $1 api_key_ids, $2 how many
FORGET_OLDER_ADDRESSES = """
with older as materialized (
    select a.api_key_id, a.address
    from key_addresses a
    join (select api_key_id, address, last_seen_at,
                 row_number() over (partition by api_key_id order by last_seen_at desc, address) as nr
          from key_addresses where api_key_id = any($1::uuid[])) ranked using (api_key_id, address, last_seen_at)
    where ranked.nr > $2
    order by a.api_key_id, a.address
    for update of a)
delete from key_addresses a using older where a.api_key_id = older.api_key_id and a.address = older.address
"""

# Requests of a route that needed further scopes are rows of their own, and shown together.
# Parameters: $1 api_key_id, $2 first day
# Returns: day, method, route, scope, needs_all_scopes, requests, forbidden, limited
USAGE = """
select to_char(day, 'YYYY-MM-DD') as day, method, route, nullif(scopes[1], '*') as scope,
       coalesce(scopes[1] = '*', false) as needs_all_scopes, sum(requests)::bigint as requests,
       sum(forbidden)::bigint as forbidden, sum(limited)::bigint as limited
from key_usage where api_key_id = $1 and day >= $2
group by key_usage.day, method, route, scopes[1]
order by key_usage.day desc, route, method, scope
"""

# Parameters: $1 api_key_id, $2 first day
# Returns: scope
NEEDED_SCOPES = "select distinct unnest(scopes) as scope from key_usage where api_key_id = $1 and day >= $2"

# Parameters: $1 api_key_id, $2 since, $3 how many
# Returns: address, last_seen_at
ADDRESSES = """
select host(address) as address, last_seen_at from key_addresses
where api_key_id = $1 and last_seen_at >= $2
order by last_seen_at desc, key_addresses.address limit $3
"""

# Parameters: $1 api_key_id, $2 first day
# Returns: counted_since
COUNTED_SINCE = """
select greatest(created_at, $2::date::timestamp at time zone 'UTC') as counted_since
from api_keys where api_key_id = $1
"""

# Parameters: $1 first day that stays
DELETE_OLD = "delete from key_usage where day < $1"

# Parameters: $1 last_seen_at of the oldest that stay
DELETE_OLD_ADDRESSES = "delete from key_addresses where last_seen_at < $1"
