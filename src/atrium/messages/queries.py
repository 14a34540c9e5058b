"""The SQL of messages, but for pages. SEND is of the hot path, and made as the statements in page_queries.py are."""

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
                when ask.parent_id is not null and parent.message_id is null then 'message_not_found'
                when ask.attachments is null then 'attachment_unusable'
                end as refusal
    from unnest($1::bytea[], $2::uuid[], $3::text[], $4::jsonb[], $5::text[], $6::uuid[], $7::text[], $8::bytea[],
                $9::jsonb[])
         with ordinality as ask (key_hash, room_id, text, blocks, mentions, parent_id, idempotency_key, body_hash,
                                 attachments, nr)
    left join lateral (select * from bearer(ask.key_hash, time_of_ms($10)) offset 0) who on true
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
    from (select ask.*, greatest(head.last_seq + 1, $10::bigint << 12)
                        + row_number() over (partition by ask.room_id order by ask.nr) - 1 as seq
          from ask join head using (room_id) where ask.refusal is null) ask
), moved as (
    update room_heads h set last_seq = last.seq, last_message_id = last.message_id
    from (select distinct on (room_id) room_id, seq, message_id from minted order by room_id, seq desc) last
    where h.room_id = last.room_id
), sent as (
    insert into messages (room_id, message_id, user_id, sender_type, parent_id, thread_root_id, text, blocks, mentions,
                          attachments, sent_at)
    select room_id, message_id, actor_id, kind, parent_id, root_id, text, blocks,
           case when mentions = '{}' then '{}' else array(
               select m.actor_id from unnest(mentions::uuid[]) with ordinality as named (actor_id, nr)
               join memberships m on m.actor_id = named.actor_id and m.organization_id = minted.organization_id
               order by named.nr) end,
           attachments,
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
           time_of_ms($10)
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

# What a message is to have with it, as the message shows it; null where not all of it is its sender's, in the room and
# free. Locked, before the head of the room is, so that of two sends one has each.
HOLD_ATTACHMENTS = """
with held as materialized (
    select * from attachments where room_id = $2 and attachment_id = any($3::uuid[]) order by attachment_id for update
)
select case when count(*) = cardinality($3) and bool_and(held.created_by = who.actor_id and held.message_id is null)
            then jsonb_agg(jsonb_build_object(
                'attachment_id', held.attachment_id, 'name', held.name, 'media_type', held.media_type,
                'size', held.size, 'width', held.width, 'height', held.height) order by named.nr) end
from bearer($1, time_of_ms($4)) who
cross join unnest($3) with ordinality as named (attachment_id, nr) join held using (attachment_id)
"""

USE_ATTACHMENTS = "update attachments set message_id = $3 where room_id = $1 and attachment_id = any($2::uuid[])"

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
    update messages set text = '', blocks = '[]', mentions = '{}', attachments = '[]', reactions = '[]', deleted_at = $4
    where room_id = $1 and message_id = $2
    returning room_id, message_id
)
insert into live_events (kind, space_id, room_id, message_id)
select 'message.deleted', $3, room_id, message_id from buried
"""

DROP_ATTACHMENTS = """
with gone as (delete from attachments where room_id = $1 and message_id = $2 returning object)
insert into dropped_objects (object, dropped_at) select object, $3 from gone
on conflict do nothing
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
