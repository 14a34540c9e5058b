"""The SQL of messages.

PAGE_OF_ROOM, PAGE_OF_THREAD and SEND are the hot path: one statement answers a batch of requests. It looks the keys up,
decides access, does the work and returns finished JSON; a refusal is an answer, never an exception, so that one request
cannot fail another. The answers come as one row of arrays: a row each cost two wake-ups of this process a page.
`offset 0` keeps a step from being computed more than once, `concat` a page from being copied more than once. All three
were measured.
"""

PAGE_OF_ROOM = """
select array_agg(api_key_id order by nr), array_agg(refusal order by nr), array_agg(root_id order by nr),
       array_agg(body order by nr)
from (
select ask.nr, who.api_key_id,
       case when who.actor_id is null then 'unauthenticated'
            when access.role is null then 'room_not_found' end as refusal,
       null::uuid as root_id,
       case when access.role is not null then convert_to(concat(
           '{"messages":[', page.messages, '],"shard_has_more":', exists (
               select from messages m where m.room_id = ask.room_id and m.message_id >= shard.floor_id
               and m.message_id < page.last_id)::text,
           ',"next_cursor_sent_at":', json_time_of_ms(coalesce(id_ms(page.last_id), ask.cursor_ms)),
           ',"next_cursor_message_id":', coalesce('"' || coalesce(page.last_id, ask.before_id) || '"', 'null'),
           ',"next_partition_cursor":', json_time_of_ms(coalesce(
               (id_ms(older.message_id) / $7 + 1) * $7, least(shard.opens, room.opened / $7 * $7)) - 1),
           '}'), 'UTF8') end as body
from unnest($1::bytea[], $2::uuid[], $3::bigint[], $4::uuid[], $5::int[])
     with ordinality as ask (key_hash, room_id, cursor_ms, before_id, size, nr)
left join lateral (select * from bearer(ask.key_hash, time_of_ms($6)) offset 0) who on true
left join lateral (
    select r.space_id, floor(extract(epoch from r.created_at) * 1000)::bigint as opened,
           greatest($6::bigint, h.last_seq >> 12) as latest
    from rooms r join room_heads h using (room_id)
    where r.room_id = ask.room_id and r.deleted_at is null offset 0) room on true
left join lateral (select * from role_in(who.actor_id, who.kind, room.space_id) offset 0) access on true
left join lateral (
    select opens, case when ask.cursor_ms < room.opened then null else id_floor(opens) end as floor_id,
           coalesce(ask.before_id, id_floor(opens + $7)) as before_id
    from (select least(coalesce(ask.cursor_ms, room.latest), room.latest) / $7::bigint * $7 as opens) aligned
    where access.role is not null offset 0) shard on true
left join lateral (
    select string_agg(near.rendered, ',') as messages, (array_agg(near.message_id))[count(*)] as last_id
    from (
        select m.message_id, m.rendered from messages m
        where m.room_id = ask.room_id and m.message_id >= shard.floor_id and m.message_id < shard.before_id
        order by m.message_id desc limit ask.size) near) page on true
left join lateral (
    select m.message_id from messages m
    where m.room_id = ask.room_id and m.message_id < shard.floor_id
    order by m.message_id desc limit 1) older on true) answered
"""

# The same without replies, by the index that parts them. One statement for both made every page dearer.
PAGE_OF_TOP_LEVEL = """
select array_agg(api_key_id order by nr), array_agg(refusal order by nr), array_agg(root_id order by nr),
       array_agg(body order by nr)
from (
select ask.nr, who.api_key_id,
       case when who.actor_id is null then 'unauthenticated'
            when access.role is null then 'room_not_found' end as refusal,
       null::uuid as root_id,
       case when access.role is not null then convert_to(concat(
           '{"messages":[', page.messages, '],"shard_has_more":', exists (
               select from messages m where m.room_id = ask.room_id and m.message_id >= shard.floor_id
               and m.message_id < page.last_id and m.thread_root_id is null)::text,
           ',"next_cursor_sent_at":', json_time_of_ms(coalesce(id_ms(page.last_id), ask.cursor_ms)),
           ',"next_cursor_message_id":', coalesce('"' || coalesce(page.last_id, ask.before_id) || '"', 'null'),
           ',"next_partition_cursor":', json_time_of_ms(coalesce(
               (id_ms(older.message_id) / $7 + 1) * $7, least(shard.opens, room.opened / $7 * $7)) - 1),
           '}'), 'UTF8') end as body
from unnest($1::bytea[], $2::uuid[], $3::bigint[], $4::uuid[], $5::int[])
     with ordinality as ask (key_hash, room_id, cursor_ms, before_id, size, nr)
left join lateral (select * from bearer(ask.key_hash, time_of_ms($6)) offset 0) who on true
left join lateral (
    select r.space_id, floor(extract(epoch from r.created_at) * 1000)::bigint as opened,
           greatest($6::bigint, h.last_seq >> 12) as latest
    from rooms r join room_heads h using (room_id)
    where r.room_id = ask.room_id and r.deleted_at is null offset 0) room on true
left join lateral (select * from role_in(who.actor_id, who.kind, room.space_id) offset 0) access on true
left join lateral (
    select opens, case when ask.cursor_ms < room.opened then null else id_floor(opens) end as floor_id,
           coalesce(ask.before_id, id_floor(opens + $7)) as before_id
    from (select least(coalesce(ask.cursor_ms, room.latest), room.latest) / $7::bigint * $7 as opens) aligned
    where access.role is not null offset 0) shard on true
left join lateral (
    select string_agg(near.rendered, ',') as messages, (array_agg(near.message_id))[count(*)] as last_id
    from (
        select m.message_id, m.rendered from messages m
        where m.room_id = ask.room_id and m.message_id >= shard.floor_id and m.message_id < shard.before_id
          and m.thread_root_id is null
        order by m.message_id desc limit ask.size) near) page on true
left join lateral (
    select m.message_id from messages m
    where m.room_id = ask.room_id and m.message_id < shard.floor_id and m.thread_root_id is null
    order by m.message_id desc limit 1) older on true) answered
"""

PAGE_OF_THREAD = """
select array_agg(api_key_id order by nr), array_agg(refusal order by nr), array_agg(root_id order by nr),
       array_agg(body order by nr)
from (
select ask.nr, who.api_key_id,
       case when who.actor_id is null then 'unauthenticated'
            when access.role is null then 'room_not_found'
            when root.message_id is null then 'message_not_found'
            when root.thread_root_id is not null then 'not_a_thread_root' end as refusal,
       root.thread_root_id as root_id,
       case when access.role is not null and root.is_root then convert_to(concat(
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
    select message_id, thread_root_id, thread_root_id is null as is_root from messages
    where room_id = ask.room_id and message_id = ask.root_id offset 0) root on true
left join lateral (
    select string_agg(near.rendered, ',') as messages, (array_agg(near.message_id))[count(*)] as last_id
    from (
        select message_id, rendered from messages
        where room_id = ask.room_id and thread_root_id = ask.root_id
          and message_id > coalesce(ask.after_id, ask.root_id) and access.role is not null and root.is_root
        order by message_id limit ask.size) near) page on true) answered
"""

# A send locks the heads of its rooms in room order, mints ids from them, and inserts, updates the thread roots,
# remembers the idempotency key and puts down the event for each webhook that subscribes and for whoever listens live,
# in the same statement. The live event comes from what was minted, so its number is drawn under the room's lock.
# A key seen before answers what it answered then.
SEND = """
with ask as materialized (
    select ask.*, who.actor_id, who.kind, who.api_key_id, access.organization_id, room.space_id, room.room_type,
           coalesce(parent.thread_root_id, parent.message_id) as root_id, seen.answer as seen_answer,
           case when who.actor_id is null then 'unauthenticated'
                when access.role is null then 'room_not_found'
                when access.role < 'member' then 'forbidden'
                when seen.body_hash <> ask.body_hash then 'idempotency_mismatch'
                when seen.answer is not null then 'replayed'
                when room.archived_at is not null then 'room_archived'
                when ask.parent_id is not null and parent.message_id is null then 'message_not_found' end as refusal
    from unnest($1::bytea[], $2::uuid[], $3::text[], $4::jsonb[], $5::text[], $6::uuid[], $7::text[], $8::bytea[])
         with ordinality as ask (key_hash, room_id, text, blocks, mentions, parent_id, idempotency_key, body_hash, nr)
    left join lateral (select * from bearer(ask.key_hash, time_of_ms($9)) offset 0) who on true
    left join rooms room on room.room_id = ask.room_id and room.deleted_at is null
    left join lateral (select * from role_in(who.actor_id, who.kind, room.space_id) offset 0) access on true
    left join messages parent on parent.room_id = ask.room_id and parent.message_id = ask.parent_id
    left join idempotency_keys seen on seen.scope_id = ask.room_id and seen.actor_id = who.actor_id
        and seen.route = 'send_message' and seen.key = ask.idempotency_key
), head as materialized (
    select room_id, last_seq from room_heads
    where room_id in (select room_id from ask where refusal is null)
    order by room_id for update
), minted as materialized (
    select ask.*, id_at(ask.seq) as message_id, time_of_ms(ask.seq >> 12) as sent_at
    from (select ask.*, greatest(head.last_seq + 1, $9::bigint << 12)
                        + row_number() over (partition by ask.room_id order by ask.nr) - 1 as seq
          from ask join head using (room_id) where ask.refusal is null) ask
), moved as (
    update room_heads h set last_seq = last.seq, last_message_id = last.message_id
    from (select distinct on (room_id) room_id, seq, message_id from minted order by room_id, seq desc) last
    where h.room_id = last.room_id
), sent as (
    insert into messages (room_id, message_id, user_id, sender_type, parent_id, thread_root_id, text, blocks, mentions,
                          sent_at)
    select room_id, message_id, actor_id, kind, parent_id, root_id, text, blocks,
           case when mentions = '{}' then '{}' else array(
               select m.actor_id from unnest(mentions::uuid[]) with ordinality as named (actor_id, nr)
               join memberships m on m.actor_id = named.actor_id and m.organization_id = minted.organization_id
               order by named.nr) end,
           sent_at
    from minted
    returning room_id, message_id, rendered
), replied as (
    update messages root
    set reply_count = root.reply_count + replies.count, last_reply_at = greatest(root.last_reply_at, replies.at)
    from (select room_id, root_id, count(*)::int as count, max(sent_at) as at
          from minted where root_id is not null group by room_id, root_id) replies
    where root.room_id = replies.room_id and root.message_id = replies.root_id
), remembered as (
    insert into idempotency_keys (scope_id, actor_id, route, key, body_hash, status, answer, created_at)
    select room_id, actor_id, 'send_message', idempotency_key, body_hash, 201, convert_to(rendered, 'UTF8'),
           time_of_ms($9)
    from minted join sent using (room_id, message_id) where idempotency_key is not null
), told as (
    insert into deliveries (webhook_id, delivery_id, event_type, subject_type, subject_id, body, status,
                            next_attempt_at, created_at)
    select subscriber.webhook_id, id_at(seq), 'message_sent', 'room', room_id,
           room_event('message_sent', room_id, seq >> 12, concat(
               '{"message_id":"', message_id, '","room_id":"', room_id, '","user_id":"', actor_id,
               '","status":"SENT","created_at":', json_time_of_ms(seq >> 12), '}')),
           (case when subscriber.active then 'DELIVERY_STATUS_PENDING'
                 else 'DELIVERY_STATUS_MISSED' end)::delivery_status,
           case when subscriber.active then sent_at end, sent_at
    from minted cross join lateral subscribers(
        room_id, space_id, room_type, 'WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_SENT') subscriber
    returning webhook_id, delivery_id, next_attempt_at
), due as (
    insert into due_deliveries (webhook_id, delivery_id, due_at)
    select webhook_id, delivery_id, next_attempt_at from told where next_attempt_at is not null
), live as (
    insert into live_events (kind, space_id, room_id, message_id)
    select 'message.sent', space_id, room_id, message_id from minted order by seq
)
select array_agg(ask.api_key_id order by ask.nr), array_agg(ask.refusal order by ask.nr),
       array_agg(null::uuid order by ask.nr),
       array_agg(coalesce(convert_to(sent.rendered, 'UTF8'), ask.seen_answer) order by ask.nr)
from ask left join minted on minted.nr = ask.nr
left join sent on sent.room_id = minted.room_id and sent.message_id = minted.message_id
"""

READ = "select rendered from messages where room_id = $1 and message_id = $2"

READ_FOR_CHANGE = "select rendered from messages where room_id = $1 and message_id = $2 for update"

MEMBERS_NAMED = """
select m.actor_id from unnest($2::uuid[]) with ordinality as named (actor_id, nr)
join memberships m on m.actor_id = named.actor_id and m.organization_id = $1
order by named.nr
"""

# What is done to a message is told live in the same statement, under the lock of its row; `$3` is its space.
EDIT = """
with edited as (
    update messages set text = $4, blocks = $5, mentions = $6, edited_at = $7
    where room_id = $1 and message_id = $2
    returning room_id, message_id, rendered
), live as (
    insert into live_events (kind, space_id, room_id, message_id)
    select 'message.edited', $3, room_id, message_id from edited
)
select rendered from edited
"""

BURY = """
with buried as (
    update messages set text = '', blocks = '[]', mentions = '{}', reactions = '[]', deleted_at = $4
    where room_id = $1 and message_id = $2
    returning room_id, message_id
)
insert into live_events (kind, space_id, room_id, message_id)
select 'message.deleted', $3, room_id, message_id from buried
"""

SET_REACTIONS = """
with changed as (
    update messages set reactions = $4 where room_id = $1 and message_id = $2
    returning room_id, message_id, rendered
), live as (
    insert into live_events (kind, space_id, room_id, message_id, data)
    select $5, $3, room_id, message_id, jsonb_build_object('emoji', $6::text, 'user_id', $7::uuid) from changed
)
select rendered from changed
"""
