"""The SQL of unread state."""

# Parameters: $1 room_id, $2 message_id
EXISTS = "select from messages where room_id = $1 and message_id = $2"

# Parameters: $1 room_id, $2 person_id, $3 message_id, $4 moved_at
MARK = """
insert into read_markers (room_id, person_id, message_id, head_id, moved_at)
select room_id, $2, $3, last_message_id, $4 from room_heads where room_id = $1
on conflict (room_id, person_id) do update
set message_id = excluded.message_id, head_id = excluded.head_id, moved_at = excluded.moved_at
"""

# The rooms with unread messages of a person, in order of their ids. Messages up to the marker are read; without a
# marker since the person got access, those before that time. A message of their own moves the marker if it was sent
# after the marker was set and is among the newest of the room, so a send writes nothing. `role_in` decides access;
# `came` is when the person got it, by the visibility of the space, and only limits what counts as unread.
# Parameters: $1 organization_id, $2 person_id, $3 the last room_id before the page, $4 limit, $5 limit of the count,
# $6 number of newest messages among which the person's own count
# Returns: room_id, space_id, last_message_id, last_read_message_id, unread_count, capped, mention_count,
# first_unread_message_id
UNREAD = """
select r.room_id, r.space_id, h.last_message_id, bound.shown_id as last_read_message_id,
       least(found.count, $5)::int as unread_count, found.count > $5 as capped, found.mention_count::int,
       case when found.count > $5 then oldest.message_id else found.first_id end as first_unread_message_id
from spaces s join lateral role_in($2, 'person', s.space_id) access on true
join memberships member on member.actor_id = $2 and member.organization_id = s.organization_id
left join space_grants given on given.space_id = s.space_id and given.actor_id = $2
left join lateral (
    select min(greatest(joined_at, created_at)) as at from group_members join space_group_grants g using (group_id)
    where actor_id = $2 and g.space_id = s.space_id) by_group on true
join rooms r on r.space_id = s.space_id and r.deleted_at is null
join room_heads h on h.room_id = r.room_id
join lateral (
    select at, id_floor(1 + floor(extract(epoch from at) * 1000)::bigint) as came_id
    from (select case when member.role < 'admin' and (s.visibility = 'private' or member.role < 'member')
                      then coalesce(least(given.created_at, by_group.at), member.created_at)
                      else member.created_at end as at) came
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
