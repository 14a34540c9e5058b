"""The SQL of read markers and unread counts.

`role_in` checks access. `arrival` is the time from which messages can be unread: when the person got access, by the
visibility of the space. Messages up to the marker are read; if there is no marker newer than `arrival`, messages
before `arrival` are read. One's own later message acts as the marker, so that sending writes nothing.
"""

# Parameters: $1 room_id, $2 message_id
# Returns: thread_root_id
FIND = "select thread_root_id from messages where room_id = $1 and message_id = $2"

# The message before another one: any of the room, or of one thread with its root. Without one, the id before it.
# Parameters: $1 room_id, $2 message_id, $3 thread_root_id or null
# Returns: message_id
BEFORE = """
select coalesce(
    case when $3::uuid is null
         then (select message_id from messages where room_id = $1 and message_id < $2 order by message_id desc limit 1)
         else coalesce((select message_id from messages
                        where room_id = $1 and thread_root_id = $3 and message_id < $2
                        order by message_id desc limit 1), $3) end,
    id_floor(id_ms($2) - 1)) as message_id
"""

# Parameters: $1 room_id, $2 person_id, $3 message_id, $4 moved_at
MARK = """
insert into read_markers (room_id, person_id, message_id, head_id, moved_at)
select room_id, $2, $3, last_message_id, $4 from room_heads where room_id = $1
on conflict (room_id, person_id) do update
set message_id = excluded.message_id, head_id = excluded.head_id, moved_at = excluded.moved_at
"""

# Parameters: $1 room_id, $2 person_id, $3 thread_root_id, $4 message_id, $5 moved_at
MARK_THREAD = """
insert into thread_markers (room_id, person_id, thread_root_id, message_id, head_id, moved_at)
select room_id, $2, $3, $4, last_message_id, $5 from room_heads where room_id = $1
on conflict (room_id, person_id, thread_root_id) do update
set message_id = excluded.message_id, head_id = excluded.head_id, moved_at = excluded.moved_at
"""

# The rooms of an organization that a person can access, with their marker.
# Parameters: $1 organization_id, $2 person_id
_ROOMS = """from spaces s join lateral role_in($2, 'person', s.space_id) access on true
join memberships member on member.actor_id = $2 and member.organization_id = s.organization_id
left join space_grants given on given.space_id = s.space_id and given.actor_id = $2
left join lateral (
    select min(greatest(joined_at, created_at)) as at from group_members join space_group_grants g using (group_id)
    where actor_id = $2 and g.space_id = s.space_id) by_group on true
join rooms r on r.space_id = s.space_id and r.deleted_at is null
join room_heads h on h.room_id = r.room_id
join lateral (
    select at, id_floor(1 + floor(extract(epoch from at) * 1000)::bigint) as arrival_id
    from (select case when member.role < 'admin' and (s.visibility = 'private' or member.role < 'member')
                      then coalesce(least(given.created_at, by_group.at), member.created_at)
                      else member.created_at end as at) arrival
    offset 0) arrival on true
left join read_markers marker
    on marker.room_id = r.room_id and marker.person_id = $2 and marker.moved_at >= arrival.at
"""

# The rooms with unread top-level messages of a person, in order of their ids. Of their own, those among the newest
# top-level messages of the room count.
# Parameters: $1 organization_id, $2 person_id, $3 the last room_id before the page, $4 limit, $5 limit of the count,
# $6 number of newest messages among which the person's own count
# Returns: room_id, space_id, last_message_id, last_read_message_id, unread_count, capped, mention_count,
# first_unread_message_id
UNREAD = f"""
select r.room_id, r.space_id, h.last_message_id, bound.shown_id as last_read_message_id,
       least(found.count, $5)::int as unread_count, found.count > $5 as capped, found.mention_count::int,
       case when found.count > $5 then oldest.message_id else found.first_id end as first_unread_message_id
{_ROOMS}
join lateral (
    select greatest(marker.message_id, own.message_id) as shown_id,
           greatest(coalesce(marker.message_id, arrival.arrival_id), own.message_id) as read_id
    from (select (select newest.message_id
                  from (select m.message_id, m.user_id from messages m
                        where m.room_id = r.room_id and m.thread_root_id is null
                          and m.message_id > coalesce(marker.head_id, arrival.arrival_id)
                        order by m.message_id desc limit $6) newest
                  where newest.user_id = $2
                  order by newest.message_id desc limit 1) as message_id) own offset 0) bound on true
join lateral (
    select count(*) as count, count(*) filter (where fresh.mentioned and fresh.nr <= $5) as mention_count,
           (array_agg(fresh.message_id order by fresh.nr desc))[1] as first_id
    from (select m.message_id, $2 = any(m.mentions) as mentioned, row_number() over (order by m.message_id desc) as nr
          from messages m
          where m.room_id = r.room_id and m.thread_root_id is null and m.message_id > bound.read_id
            and m.user_id <> $2 and m.deleted_at is null
          order by m.message_id desc limit $5 + 1) fresh) found on true
left join lateral (
    select m.message_id from messages m
    where m.room_id = r.room_id and m.thread_root_id is null and m.message_id > bound.read_id
      and m.user_id <> $2 and m.deleted_at is null
    order by m.message_id limit 1) oldest on found.count > $5
where s.organization_id = $1 and r.room_id > $3 and h.last_message_id > coalesce(marker.message_id, arrival.arrival_id)
  and found.count > 0
order by r.room_id limit $4
"""

# The threads that a person takes part in, those with unread replies first, then by their newest reply. Replies before
# the person's first message or mention in the thread are read, unless they set a marker there. `own` is their newest
# reply since they set the marker.
# Parameters: $1 organization_id, $2 person_id, $3 only those with unread replies, $4 limit, $5 limit of the count,
# $6 number of newest replies among which the person's own count, $7 number of replies to return, and the sort key of
# the thread before the page, or nulls: $8 is unread, $9 last_reply_at, $10 thread_root_id, $11 room_id
# Returns: room_id, space_id, thread_root_id, root (JSON), last_reply_at, replies (JSON, oldest first), unread_count,
# capped, mention_count, last_read_message_id, first_unread_message_id
THREADS = f"""
with thread as materialized (
    select r.room_id, r.space_id, root.message_id as thread_root_id, root.rendered, root.last_reply_at,
           greatest(marker_of_thread.message_id, bound.own_id) as last_read_message_id,
           coalesce(found.count, 0) as count, coalesce(found.mention_count, 0) as mention_count,
           case when found.count > $5 then oldest.message_id else found.first_id end as first_unread_message_id
    {_ROOMS}
    left join participation_heads recorded on recorded.room_id = r.room_id
    join lateral (
        select p.thread_root_id from thread_participants p where p.room_id = r.room_id and p.person_id = $2
        union
        select m.thread_root_id from messages m
        where m.room_id = r.room_id and m.thread_root_id is not null
          and m.message_id > coalesce(recorded.recorded_id, '00000000-0000-0000-0000-000000000000')
    ) candidate on true
    join messages root on root.room_id = r.room_id and root.message_id = candidate.thread_root_id
    left join thread_markers marker_of_thread
        on marker_of_thread.room_id = r.room_id and marker_of_thread.person_id = $2
        and marker_of_thread.thread_root_id = root.message_id and marker_of_thread.moved_at >= arrival.at
    join lateral (
        select coalesce(marker_of_thread.message_id, arrival.arrival_id) as message_id offset 0
    ) start on true
    join lateral (
        select case when root.user_id = $2 or $2 = any(root.mentions) then root.message_id
                    else (select m.message_id from messages m
                          where m.room_id = r.room_id and m.thread_root_id = root.message_id
                            and (m.user_id = $2 or $2 = any(m.mentions))
                          order by m.message_id limit 1) end as message_id
        where not $3 or root.last_reply_at >= time_of_ms(id_ms(start.message_id))
        offset 0) joined on joined.message_id is not null
    left join lateral (
        select own.message_id as own_id, greatest(start.message_id, own.message_id) as read_id,
               case when marker_of_thread.message_id is null then joined.message_id else root.message_id end as from_id
        from (select (select newest.message_id
                      from (select m.message_id, m.user_id from messages m
                            where m.room_id = r.room_id and m.thread_root_id = root.message_id
                              and m.message_id > coalesce(marker_of_thread.head_id, arrival.arrival_id)
                            order by m.message_id desc limit $6) newest
                      where newest.user_id = $2
                      order by newest.message_id desc limit 1) as message_id) own
        offset 0) bound on root.last_reply_at >= time_of_ms(id_ms(start.message_id))
    left join lateral (
        select count(*) as count, count(*) filter (where fresh.mentioned and fresh.nr <= $5) as mention_count,
               (array_agg(fresh.message_id order by fresh.nr desc))[1] as first_id
        from (select m.message_id, $2 = any(m.mentions) as mentioned,
                     row_number() over (order by m.message_id desc) as nr
              from messages m
              where m.room_id = r.room_id and m.thread_root_id = root.message_id and m.message_id > bound.read_id
                and m.message_id >= bound.from_id and m.user_id <> $2 and m.deleted_at is null
              order by m.message_id desc limit $5 + 1) fresh) found on bound.read_id is not null
    left join lateral (
        select m.message_id from messages m
        where m.room_id = r.room_id and m.thread_root_id = root.message_id and m.message_id > bound.read_id
          and m.message_id >= bound.from_id and m.user_id <> $2 and m.deleted_at is null
        order by m.message_id limit 1) oldest on found.count > $5
    where s.organization_id = $1 and root.last_reply_at is not null
), page as (
    select * from thread
    where (count > 0 or not $3)
      and ($10::uuid is null or (count > 0, last_reply_at, thread_root_id, room_id)
                                < ($8::bool, $9::timestamptz, $10::uuid, $11::uuid))
    order by count > 0 desc, last_reply_at desc, thread_root_id desc, room_id desc limit $4
)
select page.room_id, page.space_id, page.thread_root_id, page.rendered as root, page.last_reply_at,
       coalesce(newest.replies, '[]') as replies, least(page.count, $5)::int as unread_count, page.count > $5 as capped,
       page.mention_count::int, page.last_read_message_id, page.first_unread_message_id
from page
left join lateral (
    select '[' || string_agg(m.rendered, ',' order by m.message_id) || ']' as replies
    from (select message_id, rendered from messages
          where room_id = page.room_id and thread_root_id = page.thread_root_id and deleted_at is null
          order by message_id desc limit $7) m) newest on $7 > 0
order by page.count > 0 desc, page.last_reply_at desc, page.thread_root_id desc, page.room_id desc
"""

# The messages of others that mention a person, newest first. Messages of different rooms may have the same id.
# Parameters: $1 organization_id, $2 person_id, $3 limit, and the last message before the page, or nulls: $4 message_id,
# $5 room_id
# Returns: space_id, message (JSON), message_id, room_id
MENTIONS = f"""
select r.space_id, near.rendered as message, near.message_id, r.room_id
{_ROOMS}
left join participation_heads recorded on recorded.room_id = r.room_id
join lateral (
    select m.message_id, m.rendered
    from (select message_id from mentions where mentions.room_id = r.room_id and mentions.person_id = $2
          union
          select message_id from messages fresh
          where fresh.room_id = r.room_id and $2 = any(fresh.mentions)
            and fresh.message_id > coalesce(recorded.recorded_id, '00000000-0000-0000-0000-000000000000')) named
    join messages m on m.room_id = r.room_id and m.message_id = named.message_id
    where $2 = any(m.mentions) and m.user_id <> $2
      and ($4::uuid is null or (named.message_id, r.room_id) < ($4::uuid, $5::uuid))
    order by m.message_id desc limit $3) near on true
where s.organization_id = $1
order by near.message_id desc, r.room_id desc limit $3
"""

# Record who takes part in threads and who is mentioned, of the messages sent since the last time, in all rooms. The
# mark of a room moves only from where it was read: an import moves it back meanwhile.
# Parameters: $1 number of rooms, $2 number of messages per room
# Returns: rooms (how many had new messages)
RECORD = """
with room as materialized (
    select h.room_id, h.last_message_id, recorded.recorded_id
    from room_heads h left join participation_heads recorded using (room_id)
    where h.last_message_id > coalesce(recorded.recorded_id, '00000000-0000-0000-0000-000000000000')
    limit $1
), fresh as materialized (
    select m.* from room cross join lateral (
        select m.room_id, m.message_id, m.user_id, m.thread_root_id, m.mentions from messages m
        where m.room_id = room.room_id
          and m.message_id > coalesce(room.recorded_id, '00000000-0000-0000-0000-000000000000')
        order by m.message_id limit $2) m
), taking_part as (
    insert into thread_participants (room_id, person_id, thread_root_id)
    select room_id, unnest(user_id || mentions), thread_root_id from fresh where thread_root_id is not null
    union
    select root.room_id, unnest(root.user_id || root.mentions), root.message_id
    from (select distinct room_id, thread_root_id from fresh where thread_root_id is not null) thread
    join messages root on root.room_id = thread.room_id and root.message_id = thread.thread_root_id
    on conflict do nothing
), mentioned as (
    insert into mentions (room_id, person_id, message_id)
    select distinct room_id, unnest(mentions), message_id from fresh where mentions <> '{}'
    on conflict do nothing
), last as materialized (
    select room.room_id, room.recorded_id, coalesce(found.message_id, room.last_message_id) as message_id
    from room left join (
        select distinct on (room_id) room_id, message_id from fresh order by room_id, message_id desc) found
        using (room_id)
), moved as (
    update participation_heads head set recorded_id = last.message_id
    from last where head.room_id = last.room_id and head.recorded_id = last.recorded_id
), started as (
    insert into participation_heads (room_id, recorded_id)
    select room_id, message_id from last where recorded_id is null on conflict do nothing
)
select count(*) as rooms from room
"""

# Parameters: $1 room_id, $2 message_id
REWIND = """
insert into participation_heads (room_id, recorded_id) values ($1, $2)
on conflict (room_id) do update set recorded_id = least(participation_heads.recorded_id, excluded.recorded_id)
"""
