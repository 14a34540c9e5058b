"""The SQL of live events."""

# Where a process begins to follow: the present snapshot, and which database it is one of, since its last crash. What
# a crash empties says so; the first who comes by puts something new there.
START = """
with since as (
    insert into live_since values (default) on conflict (one) do update set crash = live_since.crash returning crash
)
select pg_current_snapshot()::text as position, left(md5(live_identity() || since.crash), 8) as identity from since
"""

# What became visible between two snapshots, the second the present one where none is given, for the spaces, actors and
# organizations that someone listens for; with its JSON, as it is now. What is said of a message that is gone is
# left out. At least one row, for the snapshot. The lists are hashed once a statement, not gone through for each event.
# At most $7 events, and of these the first that have $8 bytes together, the last of them whole; `found` counts all.
UNSEEN = """
select here.upto::text as position, e.found, e.seq, e.kind, e.space_id, e.room_id, e.actor_id, e.organization_id,
       coalesce(left(e.data, -1) || ',"message":' || e.rendered || '}', e.rendered, e.data, '{}') as body
from (select coalesce($2::text::pg_snapshot, pg_current_snapshot()) as upto) here
left join lateral (
    select near.*, count(*) over () as found,
           sum(coalesce(octet_length(near.rendered), 0) + coalesce(octet_length(near.data), 0))
               over (order by near.seq rows between unbounded preceding and 1 preceding) as bytes_before
    from (
        select u.seq, u.kind, u.space_id, u.room_id, u.actor_id, u.organization_id, u.data::text as data, m.rendered
        from live_unseen($1::text::pg_snapshot, here.upto) u
        left join rooms r on r.room_id = u.room_id and r.deleted_at is null
        left join messages m on m.room_id = r.room_id and m.message_id = u.message_id
        where u.seq > $3 and (u.message_id is null or m.message_id is not null)
          and case when u.actor_id is not null then u.actor_id in (select unnest($5::uuid[]))
                   when u.space_id is not null then u.space_id in (select unnest($4::uuid[]))
                   else u.organization_id in (select unnest($6::uuid[])) end
        order by u.seq limit $7) near) e on coalesce(e.bytes_before, 0) < $8
order by e.seq
"""

# What the bearers of keys reach now, a row each: nobody's where the key has stopped.
REACH = """
select who.actor_id, key.expires_at,
       array(select m.organization_id from memberships m
             where m.actor_id = who.actor_id and m.deactivated_at is null
               and (ask.organization_id is null or m.organization_id = ask.organization_id)) as organizations,
       array(select s.space_id from memberships m join spaces s using (organization_id)
             join lateral role_in(who.actor_id, who.kind, s.space_id) access on true
             where m.actor_id = who.actor_id
               and (ask.organization_id is null or m.organization_id = ask.organization_id)) as spaces
from unnest($1::bytea[], $2::uuid[]) with ordinality as ask (key_hash, organization_id, nr)
left join lateral (select * from bearer(ask.key_hash, $3) offset 0) who on true
left join api_keys key on key.api_key_id = who.api_key_id
order by ask.nr
"""

# At most one event in so many seconds for a person in a room, whichever processes he speaks to.
TYPE = """
with noted as (
    insert into typing (room_id, actor_id, at) values ($1, $2, $4)
    on conflict (room_id, actor_id) do update set at = excluded.at where typing.at <= excluded.at - $5::interval
    returning room_id, actor_id
)
insert into live_events (kind, space_id, room_id, data)
select 'typing', $3::uuid, room_id, jsonb_build_object('room_id', room_id, 'user_id', actor_id) from noted
"""

EMIT_TO_ACTOR = "select emit_to_actor($1, $2, $3, $4, $5, $6)"

KEEP = "select keep_live_events($1)"
