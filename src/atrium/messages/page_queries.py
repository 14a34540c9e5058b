"""The SQL of pages: of a room, with and without replies, and of a thread.

One statement processes a batch of requests. It looks up the keys, checks access, collects the pages and returns
complete JSON. An error is a value, not an exception, so one request cannot fail another. The results are one row of
arrays, because one row per result costs the process two wake-ups per page. `offset 0` keeps a step from being computed
more than once, `concat` keeps a page from being copied more than once. All three were measured.

A page of a room has a version: its window, the room's creation, its newest number, which every send advances, and the
time of the last change to an existing message (`note_change`). A request that names the current version gets
"unchanged" instead of a page.

A page of `size` messages is rejected ("page_too_large") if one of them has more than 1 MiB / (size - 1), so no page is
larger than 1 MiB and one message; a rejected page is not read. The caller requests fewer messages (batches.py).
This costs a page nothing measurable; a running sum of sizes cost the statement 9 %.
"""

# Parameters: $1 to $7 arrays, one for each field of PageRequest; $8 now (ms), $9 length of a window (ms)
# Returns: api_key_ids, outcomes, root_ids, bodies (JSON as bytes), versions: arrays in the order of the requests
PAGE_OF_ROOM = """
select array_agg(api_key_id order by nr) as api_key_ids, array_agg(outcome order by nr) as outcomes,
       array_agg(root_id order by nr) as root_ids, array_agg(body order by nr) as bodies,
       array_agg(version order by nr) as versions
from (
select request.nr, who.api_key_id,
       case when who.actor_id is null then coalesce(who.exceeded, 'unauthenticated')
            when access.role is null then 'room_not_found'
            when access.is_barred then 'key_policy'
            when shard.version = request.known_version then 'unchanged'
            when page.is_too_large then 'page_too_large' end as outcome,
       null::uuid as root_id,
       case when access.role is not null and access.is_barred is not true
            and shard.version is distinct from request.known_version
            and not page.is_too_large then convert_to(concat(
           '{"messages":[', page.messages, '],"shard_has_more":', exists (
               select from messages m where m.room_id = request.room_id and m.message_id >= shard.floor_id
               and m.message_id < page.last_id)::text,
           ',"next_cursor_sent_at":', json_time_of_ms(coalesce(id_ms(page.last_id), request.cursor_ms)),
           ',"next_cursor_message_id":', coalesce('"' || coalesce(page.last_id, request.before_id) || '"', 'null'),
           ',"next_partition_cursor":', json_time_of_ms(coalesce(
               (id_ms(older.message_id) / $9 + 1) * $9, least(shard.opens, room.created_ms / $9 * $9)) - 1),
           '}'), 'UTF8') end as body,
       shard.version
from unnest($1::bytea[], $2::uuid[], $3::bigint[], $4::uuid[], $5::int[], $6::text[], $7::text[])
     with ordinality as request (key_hash, room_id, cursor_ms, before_id, size, known_version, address, nr)
-- The caller:
left join lateral (
    select * from caller_of(request.key_hash, time_of_ms($8), 'messages:read', request.address::inet)
    offset 0) who on true
-- The room, if it is there, and the caller's role in it:
left join lateral (
    select r.space_id, floor(extract(epoch from r.created_at) * 1000)::bigint as created_ms,
           greatest($8::bigint, h.last_seq >> 12) as latest, h.last_seq, coalesce(c.changed, 0) as changed
    from rooms r join room_heads h using (room_id) left join room_changes c using (room_id)
    where r.room_id = request.room_id and r.deleted_at is null offset 0) room on true
left join lateral (
    select role, organization_id = any(who.barred) as is_barred
    from role_in(who.actor_id, who.kind, room.space_id) offset 0) access on true
-- The window that the cursor lies in, and the version of the page:
left join lateral (
    select opens, version,
           case when opens + $9 <= room.created_ms or version = request.known_version then null
                else id_floor(opens) end as floor_id,
           coalesce(request.before_id, id_floor(opens + $9)) as before_id,
           coalesce(1048576 / nullif(request.size - 1, 0), 1 << 30) as most
    from (select opens, concat(opens, '.', room.created_ms, '.', room.last_seq, '.', room.changed) as version
          from (select least(coalesce(request.cursor_ms, room.latest), room.latest) / $9::bigint * $9 as opens) aligned
          where access.role is not null offset 0) versioned offset 0) shard on true
-- The page, newest first:
left join lateral (
    select string_agg(near.rendered, ',') as messages, (array_agg(near.message_id))[count(*)] as last_id,
           count(near.rendered) < count(*) as is_too_large
    from (
        select m.message_id, case when octet_length(m.rendered) <= shard.most then m.rendered end as rendered
        from messages m
        where m.room_id = request.room_id and m.message_id >= shard.floor_id and m.message_id < shard.before_id
        order by m.message_id desc limit request.size) near) page on true
-- The newest message before the window:
left join lateral (
    select m.message_id from messages m
    where m.room_id = request.room_id and m.message_id < shard.floor_id
    order by m.message_id desc limit 1) older on true) answered
"""

# The same without replies, with three more conditions, by an index of top-level messages. One statement for both made
# every page slower.
# Parameters: $1 to $7 arrays, one for each field of PageRequest; $8 now (ms), $9 length of a window (ms)
# Returns: api_key_ids, outcomes, root_ids, bodies (JSON as bytes), versions: arrays in the order of the requests
PAGE_OF_TOP_LEVEL = """
select array_agg(api_key_id order by nr) as api_key_ids, array_agg(outcome order by nr) as outcomes,
       array_agg(root_id order by nr) as root_ids, array_agg(body order by nr) as bodies,
       array_agg(version order by nr) as versions
from (
select request.nr, who.api_key_id,
       case when who.actor_id is null then coalesce(who.exceeded, 'unauthenticated')
            when access.role is null then 'room_not_found'
            when access.is_barred then 'key_policy'
            when shard.version = request.known_version then 'unchanged'
            when page.is_too_large then 'page_too_large' end as outcome,
       null::uuid as root_id,
       case when access.role is not null and access.is_barred is not true
            and shard.version is distinct from request.known_version
            and not page.is_too_large then convert_to(concat(
           '{"messages":[', page.messages, '],"shard_has_more":', exists (
               select from messages m where m.room_id = request.room_id and m.message_id >= shard.floor_id
               and m.message_id < page.last_id and m.thread_root_id is null)::text,
           ',"next_cursor_sent_at":', json_time_of_ms(coalesce(id_ms(page.last_id), request.cursor_ms)),
           ',"next_cursor_message_id":', coalesce('"' || coalesce(page.last_id, request.before_id) || '"', 'null'),
           ',"next_partition_cursor":', json_time_of_ms(coalesce(
               (id_ms(older.message_id) / $9 + 1) * $9, least(shard.opens, room.created_ms / $9 * $9)) - 1),
           '}'), 'UTF8') end as body,
       shard.version
from unnest($1::bytea[], $2::uuid[], $3::bigint[], $4::uuid[], $5::int[], $6::text[], $7::text[])
     with ordinality as request (key_hash, room_id, cursor_ms, before_id, size, known_version, address, nr)
-- The caller:
left join lateral (
    select * from caller_of(request.key_hash, time_of_ms($8), 'messages:read', request.address::inet)
    offset 0) who on true
-- The room, if it is there, and the caller's role in it:
left join lateral (
    select r.space_id, floor(extract(epoch from r.created_at) * 1000)::bigint as created_ms,
           greatest($8::bigint, h.last_seq >> 12) as latest, h.last_seq, coalesce(c.changed, 0) as changed
    from rooms r join room_heads h using (room_id) left join room_changes c using (room_id)
    where r.room_id = request.room_id and r.deleted_at is null offset 0) room on true
left join lateral (
    select role, organization_id = any(who.barred) as is_barred
    from role_in(who.actor_id, who.kind, room.space_id) offset 0) access on true
-- The window that the cursor lies in, and the version of the page:
left join lateral (
    select opens, version,
           case when opens + $9 <= room.created_ms or version = request.known_version then null
                else id_floor(opens) end as floor_id,
           coalesce(request.before_id, id_floor(opens + $9)) as before_id,
           coalesce(1048576 / nullif(request.size - 1, 0), 1 << 30) as most
    from (select opens, concat(opens, '.', room.created_ms, '.', room.last_seq, '.', room.changed) as version
          from (select least(coalesce(request.cursor_ms, room.latest), room.latest) / $9::bigint * $9 as opens) aligned
          where access.role is not null offset 0) versioned offset 0) shard on true
-- The page, newest first:
left join lateral (
    select string_agg(near.rendered, ',') as messages, (array_agg(near.message_id))[count(*)] as last_id,
           count(near.rendered) < count(*) as is_too_large
    from (
        select m.message_id, case when octet_length(m.rendered) <= shard.most then m.rendered end as rendered
        from messages m
        where m.room_id = request.room_id and m.message_id >= shard.floor_id and m.message_id < shard.before_id
          and m.thread_root_id is null
        order by m.message_id desc limit request.size) near) page on true
-- The newest message before the window:
left join lateral (
    select m.message_id from messages m
    where m.room_id = request.room_id and m.message_id < shard.floor_id and m.thread_root_id is null
    order by m.message_id desc limit 1) older on true) answered
"""

# Parameters: $1 to $6 arrays, one for each field of ThreadPageRequest; $7 now (ms)
# Returns: api_key_ids, outcomes, root_ids, bodies (JSON as bytes): arrays in the order of the requests
PAGE_OF_THREAD = """
select array_agg(api_key_id order by nr) as api_key_ids, array_agg(outcome order by nr) as outcomes,
       array_agg(root_id order by nr) as root_ids, array_agg(body order by nr) as bodies
from (
select request.nr, who.api_key_id,
       case when who.actor_id is null then coalesce(who.exceeded, 'unauthenticated')
            when access.role is null then 'room_not_found'
            when access.is_barred then 'key_policy'
            when root.message_id is null then 'message_not_found'
            when root.thread_root_id is not null then 'not_a_thread_root'
            when page.is_too_large then 'page_too_large' end as outcome,
       root.thread_root_id as root_id,
       case when access.role is not null and access.is_barred is not true and root.is_root
            and not page.is_too_large then convert_to(concat(
           '{"messages":[', page.messages, '],"has_more":', exists (
               select from messages m where m.room_id = request.room_id and m.thread_root_id = request.root_id
               and m.message_id > page.last_id)::text,
           ',"next_cursor_sent_at":', json_time_of_ms(id_ms(coalesce(page.last_id, request.after_id))),
           ',"next_cursor_message_id":', coalesce('"' || coalesce(page.last_id, request.after_id) || '"', 'null'),
           '}'), 'UTF8') end as body
from unnest($1::bytea[], $2::uuid[], $3::uuid[], $4::uuid[], $5::int[], $6::text[])
     with ordinality as request (key_hash, room_id, root_id, after_id, size, address, nr)
left join lateral (
    select * from caller_of(request.key_hash, time_of_ms($7), 'messages:read', request.address::inet)
    offset 0) who on true
left join rooms room on room.room_id = request.room_id and room.deleted_at is null
left join lateral (
    select role, organization_id = any(who.barred) as is_barred
    from role_in(who.actor_id, who.kind, room.space_id) offset 0) access on true
left join lateral (
    select message_id, thread_root_id, thread_root_id is null as is_root,
           coalesce(1048576 / nullif(request.size - 1, 0), 1 << 30) as most
    from messages
    where room_id = request.room_id and message_id = request.root_id offset 0) root on true
left join lateral (
    select string_agg(near.rendered, ',') as messages, (array_agg(near.message_id))[count(*)] as last_id,
           count(near.rendered) < count(*) as is_too_large
    from (
        select message_id, case when octet_length(rendered) <= root.most then rendered end as rendered
        from messages
        where room_id = request.room_id and thread_root_id = request.root_id
          and message_id > coalesce(request.after_id, request.root_id) and access.role is not null and root.is_root
        order by message_id limit request.size) near) page on true) answered
"""
