"""The SQL of pages: a room's, with replies and without, and a thread's.

One statement answers a batch of requests. It looks the keys up, decides access, collects the pages and returns finished
JSON; a refusal is an answer, never an exception, so that one request cannot fail another. The answers come as one row
of arrays: a row each cost two wake-ups of this process a page. `offset 0` keeps a step from being computed more than
once, `concat` a page from being copied more than once. All three were measured.

A page of a room says its version: the window, the room's first moment, its newest number, which every send moves, and
when messages were changed that were there (migration 0013). Whoever asks with the version that he holds is told
"unchanged" where that is the version still.

A page of `size` messages is refused ("page_too_large") where one of them has more than 1 MiB / (size - 1), so that no
page has more than 1 MiB and a message; nothing of what is refused is read. The caller asks again for fewer
(batches.py). That costs a page nothing that can be measured; a running sum of sizes cost the statement 9 %.
"""

# PAGE_OF_ROOM and PAGE_OF_TOP_LEVEL differ in three places; these are the parts between them.
# The key, the error, and whether the window has more messages than the page:
_ANSWER = """
select array_agg(api_key_id order by nr), array_agg(refusal order by nr), array_agg(root_id order by nr),
       array_agg(body order by nr), array_agg(version order by nr)
from (
select ask.nr, who.api_key_id,
       case when who.actor_id is null then 'unauthenticated'
            when access.role is null then 'room_not_found'
            when shard.version = ask.known then 'unchanged'
            when page.is_too_large then 'page_too_large' end as refusal,
       null::uuid as root_id,
       case when access.role is not null and shard.version is distinct from ask.known
            and not page.is_too_large then convert_to(concat(
           '{"messages":[', page.messages, '],"shard_has_more":', exists (
               select from messages m where m.room_id = ask.room_id and m.message_id >= shard.floor_id
               and m.message_id < page.last_id"""
# Where the next page and the next window begin, and the version of what was read:
_NEXT = """)::text,
           ',"next_cursor_sent_at":', json_time_of_ms(coalesce(id_ms(page.last_id), ask.cursor_ms)),
           ',"next_cursor_message_id":', coalesce('"' || coalesce(page.last_id, ask.before_id) || '"', 'null'),
           ',"next_partition_cursor":', json_time_of_ms(coalesce(
               (id_ms(older.message_id) / $8 + 1) * $8, least(shard.opens, room.opened / $8 * $8)) - 1),
           '}'), 'UTF8') end as body,
       shard.version
"""
# Who asks, the room, what the caller may do there, and the window that the cursor lies in:
_WINDOW = """from unnest($1::bytea[], $2::uuid[], $3::bigint[], $4::uuid[], $5::int[], $6::text[])
     with ordinality as ask (key_hash, room_id, cursor_ms, before_id, size, known, nr)
left join lateral (select * from bearer(ask.key_hash, time_of_ms($7)) offset 0) who on true
left join lateral (
    select r.space_id, floor(extract(epoch from r.created_at) * 1000)::bigint as opened,
           greatest($7::bigint, h.last_seq >> 12) as latest, h.last_seq, coalesce(c.changed, 0) as changed
    from rooms r join room_heads h using (room_id) left join room_changes c using (room_id)
    where r.room_id = ask.room_id and r.deleted_at is null offset 0) room on true
left join lateral (select * from role_in(who.actor_id, who.kind, room.space_id) offset 0) access on true
left join lateral (
    select opens, version,
           case when opens + $8 <= room.opened or version = ask.known then null else id_floor(opens) end as floor_id,
           coalesce(ask.before_id, id_floor(opens + $8)) as before_id,
           coalesce(1048576 / nullif(ask.size - 1, 0), 1 << 30) as most
    from (select opens, concat(opens, '.', room.opened, '.', room.last_seq, '.', room.changed) as version
          from (select least(coalesce(ask.cursor_ms, room.latest), room.latest) / $8::bigint * $8 as opens) aligned
          where access.role is not null offset 0) versioned offset 0) shard on true
"""
# The page, newest first:
_MESSAGES = """left join lateral (
    select string_agg(near.rendered, ',') as messages, (array_agg(near.message_id))[count(*)] as last_id,
           count(near.rendered) < count(*) as is_too_large
    from (
        select m.message_id,
               case when octet_length(m.rendered) <= shard.most then m.rendered end as rendered
        from messages m
        where m.room_id = ask.room_id and m.message_id >= shard.floor_id and m.message_id < shard.before_id"""
# The newest message before the window:
_OLDER = """
        order by m.message_id desc limit ask.size) near) page on true
left join lateral (
    select m.message_id from messages m
    where m.room_id = ask.room_id and m.message_id < shard.floor_id"""
_END = """
    order by m.message_id desc limit 1) older on true) answered
"""
_TOP_LEVEL = " and m.thread_root_id is null"

PAGE_OF_ROOM = f"{_ANSWER}{_NEXT}{_WINDOW}{_MESSAGES}{_OLDER}{_END}"
# The same without replies, by the index that parts them. One statement for both made every page dearer.
PAGE_OF_TOP_LEVEL = f"{_ANSWER}{_TOP_LEVEL}{_NEXT}{_WINDOW}{_MESSAGES}\n         {_TOP_LEVEL}{_OLDER}{_TOP_LEVEL}{_END}"

PAGE_OF_THREAD = """
select array_agg(api_key_id order by nr), array_agg(refusal order by nr), array_agg(root_id order by nr),
       array_agg(body order by nr)
from (
select ask.nr, who.api_key_id,
       case when who.actor_id is null then 'unauthenticated'
            when access.role is null then 'room_not_found'
            when root.message_id is null then 'message_not_found'
            when root.thread_root_id is not null then 'not_a_thread_root'
            when page.is_too_large then 'page_too_large' end as refusal,
       root.thread_root_id as root_id,
       case when access.role is not null and root.is_root and not page.is_too_large then convert_to(concat(
           '{"messages":[', page.messages, '],"has_more":', exists (
               select from messages m where m.room_id = ask.room_id and m.thread_root_id = ask.root_id
               and m.message_id > page.last_id)::text,
           ',"next_cursor_sent_at":', json_time_of_ms(id_ms(coalesce(page.last_id, ask.after_id))),
           ',"next_cursor_message_id":', coalesce('"' || coalesce(page.last_id, ask.after_id) || '"', 'null'),
           '}'), 'UTF8') end as body
from unnest($1::bytea[], $2::uuid[], $3::uuid[], $4::uuid[], $5::int[])
     with ordinality as ask (key_hash, room_id, root_id, after_id, size, nr)
left join lateral (select * from bearer(ask.key_hash, time_of_ms($6)) offset 0) who on true
left join rooms room on room.room_id = ask.room_id and room.deleted_at is null
left join lateral (select * from role_in(who.actor_id, who.kind, room.space_id) offset 0) access on true
left join lateral (
    select message_id, thread_root_id, thread_root_id is null as is_root,
           coalesce(1048576 / nullif(ask.size - 1, 0), 1 << 30) as most
    from messages
    where room_id = ask.room_id and message_id = ask.root_id offset 0) root on true
left join lateral (
    select string_agg(near.rendered, ',') as messages, (array_agg(near.message_id))[count(*)] as last_id,
           count(near.rendered) < count(*) as is_too_large
    from (
        select message_id, case when octet_length(rendered) <= root.most then rendered end as rendered
        from messages
        where room_id = ask.room_id and thread_root_id = ask.root_id
          and message_id > coalesce(ask.after_id, ask.root_id) and access.role is not null and root.is_root
        order by message_id limit ask.size) near) page on true) answered
"""
