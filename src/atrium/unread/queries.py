"""The SQL of unread state."""

EXISTS = "select from messages where room_id = $1 and message_id = $2"

MARK = """
insert into read_markers (room_id, person_id, message_id, head_id, moved_at)
select room_id, $2, $3, last_message_id, $4 from room_heads where room_id = $1
on conflict (room_id, person_id) do update
set message_id = excluded.message_id, head_id = excluded.head_id, moved_at = excluded.moved_at
"""

# Rooms with something new to a person, in order, each counted up to a bound ($5) and no further. Read is what lies up
# to the marker, or, where none was put since the person came, what was there at that time. A message of one's own moves
# the marker, if it was sent after the marker was put and is among the newest ($6) of the room: so
# a send writes nothing.
UNREAD = """
select r.room_id, r.space_id, h.last_message_id, bound.shown_id as last_read_message_id,
       least(found.count, $5)::int as unread_count, found.count > $5 as capped, found.mention_count::int,
       case when found.count > $5 then oldest.message_id else found.first_id end as first_unread_message_id
from spaces s join lateral role_in($2, 'person', s.space_id) access on true
join memberships member on member.actor_id = $2 and member.organization_id = s.organization_id
left join space_grants given on given.space_id = s.space_id and given.actor_id = $2
join rooms r on r.space_id = s.space_id and r.deleted_at is null
join room_heads h on h.room_id = r.room_id
join lateral (
    select at, id_floor(1 + floor(extract(epoch from at) * 1000)::bigint) as came_id
    from (select case when member.role < 'admin' and (s.visibility = 'private' or member.role < 'member')
                      then coalesce(given.created_at, member.created_at) else member.created_at end as at) came
    offset 0) came on true
left join read_markers marker
    on marker.room_id = r.room_id and marker.person_id = $2 and marker.moved_at >= came.at
join lateral (
    select greatest(marker.message_id, own.message_id) as shown_id,
           greatest(coalesce(marker.message_id, came.came_id), own.message_id) as read_id
    from (select (select newest.message_id
                  from (select m.message_id, m.user_id from messages m
                        where m.room_id = r.room_id and m.message_id > coalesce(marker.head_id, came.came_id)
                        order by m.message_id desc limit $6) newest
                  where newest.user_id = $2
                  order by newest.message_id desc limit 1) as message_id) own offset 0) bound on true
join lateral (
    select count(*) as count, count(*) filter (where fresh.mentioned and fresh.nr <= $5) as mention_count,
           (array_agg(fresh.message_id order by fresh.nr desc))[1] as first_id
    from (select m.message_id, $2 = any(m.mentions) as mentioned, row_number() over (order by m.message_id desc) as nr
          from messages m
          where m.room_id = r.room_id and m.message_id > bound.read_id and m.user_id <> $2 and m.deleted_at is null
          order by m.message_id desc limit $5 + 1) fresh) found on true
left join lateral (
    select m.message_id from messages m
    where m.room_id = r.room_id and m.message_id > bound.read_id and m.user_id <> $2 and m.deleted_at is null
    order by m.message_id limit 1) oldest on found.count > $5
where s.organization_id = $1 and r.room_id > $3 and h.last_message_id > coalesce(marker.message_id, came.came_id)
  and found.count > 0
order by r.room_id limit $4
"""
