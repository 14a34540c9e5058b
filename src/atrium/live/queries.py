"""The SQL of live events."""

# The current position of the log: the snapshot, and the identity of the database since its last crash. A crash empties
# the unlogged table, and the next process writes a new value into it.
# Returns: position, identity
START = """
with since as (
    insert into live_since values (default) on conflict (one) do update set crash = live_since.crash returning crash
)
select pg_current_snapshot()::text as position, left(md5(live_identity() || since.crash), 8) as identity from since
"""

# The events that became visible between two snapshots, with their JSON as it is now. Events of messages that no longer
# exist are omitted, of a deleted room all but its deletion, and those for webhooks alone, which have no dot in their
# kind. There is at least one row, for the snapshot. `found` counts the events before the limit of bytes. The subqueries
# let lists be hashed once, not searched for each event.
# Parameters: $1 snapshot already seen, $2 snapshot until or null for the current one, $3 last number already sent,
# $4 space_ids, $5 actor_ids, $6 organization_ids, $7 limit, $8 limit in bytes; the last event may exceed it
# Returns: position, found, seq, kind, space_id, room_id, actor_id, organization_id, body (JSON)
UNSEEN = """
select here.through::text as position, e.found, e.seq, e.kind, e.space_id, e.room_id, e.actor_id, e.organization_id,
       coalesce(left(e.data, -1) || ',"message":' || e.rendered || '}', e.rendered, e.data, '{}') as body
from (select coalesce($2::text::pg_snapshot, pg_current_snapshot()) as through) here
left join lateral (
    select near.*, count(*) over () as found,
           sum(coalesce(octet_length(near.rendered), 0) + coalesce(octet_length(near.data), 0))
               over (order by near.seq rows between unbounded preceding and 1 preceding) as bytes_before
    from (
        select u.seq, u.kind, u.space_id, u.room_id, u.actor_id, u.organization_id, u.data::text as data, m.rendered
        from live_unseen($1::text::pg_snapshot, here.through) u
        left join rooms r on r.room_id = u.room_id and r.deleted_at is null
        left join messages m on m.room_id = r.room_id and m.message_id = u.message_id
        where u.seq > $3 and (u.kind like '%.%' or u.kind = 'typing')
          and (u.message_id is null or m.message_id is not null)
          and (u.room_id is null or r.room_id is not null or u.kind = 'room.deleted')
          and case when u.actor_id is not null then u.actor_id in (select unnest($5::uuid[]))
                   when u.space_id is not null then u.space_id in (select unnest($4::uuid[]))
                   else u.organization_id in (select unnest($6::uuid[])) end
        order by u.seq limit $7) near) e on coalesce(e.bytes_before, 0) < $8
order by e.seq
"""

# What the owners of keys can access now, a row for each key; `actor_id` is null if the key no longer works. It is read
# again when the key expires, or a policy is enforced.
# Parameters: $1 key_hashes, $2 organization_ids or nulls, $3 now, $4 addresses
# Returns: actor_id, expires_at, organizations, spaces
ACCESS = """
select who.actor_id,
       least(key.expires_at, (select min(p.enforce_at) from memberships m join key_policies p using (organization_id)
                              where m.actor_id = who.actor_id and m.key_policy_at is not null
                                and p.enforce_at > $3)) as expires_at,
       array(select m.organization_id from memberships m
             where m.actor_id = who.actor_id and m.deactivated_at is null
               and m.organization_id <> all(coalesce(who.barred, '{}'))
               and (ask.organization_id is null or m.organization_id = ask.organization_id)) as organizations,
       array(select s.space_id from memberships m join spaces s using (organization_id)
             join lateral role_in(who.actor_id, who.kind, s.space_id) access on true
             where m.actor_id = who.actor_id and m.organization_id <> all(coalesce(who.barred, '{}'))
               and (ask.organization_id is null or m.organization_id = ask.organization_id)) as spaces
from unnest($1::bytea[], $2::uuid[], $4::text[])
     with ordinality as ask (key_hash, organization_id, address, nr)
left join lateral (select * from caller_of(ask.key_hash, $3, 'messages:read', ask.address::inet) offset 0) who on true
left join api_keys key on key.api_key_id = who.api_key_id
order by ask.nr
"""

# Parameters: $1 actor_id
# Returns: organization_id
ORGANIZATIONS = "select organization_id from memberships where actor_id = $1 and deactivated_at is null"

# Publish that an actor is typing, at most once per interval in all processes together.
# Parameters: $1 room_id, $2 actor_id, $3 space_id, $4 now, $5 interval
PUBLISH_TYPING = """
with noted as (
    insert into typing (room_id, actor_id, at) values ($1, $2, $4)
    on conflict (room_id, actor_id) do update set at = excluded.at where typing.at <= excluded.at - $5::interval
    returning room_id, actor_id
)
insert into live_events (kind, space_id, room_id, data)
select 'typing', $3::uuid, room_id, jsonb_build_object('room_id', room_id, 'user_id', actor_id) from noted
"""

# Returns: consumer
HOLD = "select consumer from live_positions order by consumer for update"

# Publish an event of a room, under its lock.
# Parameters: $1 kind, $2 space_id, $3 room_id, $4 data (JSON)
EMIT_TO_ROOM = "insert into live_events (kind, space_id, room_id, data) values ($1, $2, $3, $4)"

# Publish an event to one actor.
# Parameters: $1 kind, $2 actor_id, $3 organization_id, $4 space_id, $5 room_id, $6 data (JSON)
EMIT_TO_ACTOR = "select emit_to_actor($1, $2, $3, $4, $5, $6)"

# Create the partitions of the coming days and drop those that are too old.
# Parameters: $1 now
MAINTAIN_PARTITIONS = "select keep_live_events($1)"
