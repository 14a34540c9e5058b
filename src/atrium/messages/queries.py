"""The SQL of messages, except for pages. SEND is part of the hot path and is built as page_queries.py explains."""

# Send a batch of messages. The statement locks the heads of their rooms in room order, generates ids from them, inserts
# the messages, updates the thread roots, stores the idempotency keys, and writes the event to the log. An event selects
# from `minted`, so its number is assigned under the room's lock. An idempotency key that was used before returns the
# earlier body.
# Parameters: $1 to $10 arrays, one for each field of SendRequest; $11 now (ms)
# Returns: api_key_ids, outcomes, root_ids, bodies (JSON as bytes): arrays in the order of the requests
SEND = """
with request as materialized (
    select request.*, who.actor_id, who.kind, who.api_key_id, access.organization_id, room.space_id, room.room_type,
           coalesce(parent.thread_root_id, parent.message_id) as root_id, earlier.answer as earlier_body,
           case when who.actor_id is null then coalesce(who.exceeded, 'unauthenticated')
                when access.role is null then 'room_not_found'
                when access.organization_id = any(who.barred) then 'key_policy'
                when access.role < 'member' then 'forbidden'
                when earlier.body_hash <> request.body_hash then 'idempotency_mismatch'
                when earlier.answer is not null then 'replayed'
                when room.archived_at is not null then 'room_archived'
                when request.parent_id is not null and parent.message_id is null then 'message_not_found'
                when request.attachments is null then 'attachment_unusable'
                end as outcome
    from unnest($1::bytea[], $2::uuid[], $3::text[], $4::jsonb[], $5::text[], $6::uuid[], $7::text[], $8::bytea[],
                $9::jsonb[], $10::text[])
         with ordinality as request (key_hash, room_id, text, blocks, mentions, parent_id, idempotency_key, body_hash,
                                     attachments, address, nr)
    left join lateral (
        select * from caller_of(request.key_hash, time_of_ms($11), 'messages:write', request.address::inet)
        offset 0) who on true
    left join rooms room on room.room_id = request.room_id and room.deleted_at is null
    left join lateral (select * from role_in(who.actor_id, who.kind, room.space_id) offset 0) access on true
    left join messages parent on parent.room_id = request.room_id and parent.message_id = request.parent_id
    left join idempotency_keys earlier on earlier.scope_id = request.room_id and earlier.actor_id = who.actor_id
        and earlier.route = 'send_message' and earlier.key = request.idempotency_key
), head as materialized (
    select room_id, last_seq from room_heads
    where room_id in (select room_id from request where outcome is null)
    order by room_id for update
), minted as materialized (
    select request.*, id_at(request.seq) as message_id, time_of_ms(request.seq >> 12) as sent_at
    from (select request.*, greatest(head.last_seq + 1, $11::bigint << 12)
                        + row_number() over (partition by request.room_id order by request.nr) - 1 as seq
          from request join head using (room_id) where request.outcome is null) request
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
                   and m.active_when_proven is null
               order by named.nr) end,
           attachments, sent_at
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
           time_of_ms($11)
    from minted join sent using (room_id, message_id) where idempotency_key is not null
), live as (
    insert into live_events (kind, space_id, room_id, message_id)
    select 'message.sent', space_id, room_id, message_id from minted order by seq
)
select array_agg(request.api_key_id order by request.nr) as api_key_ids,
       array_agg(request.outcome order by request.nr) as outcomes,
       array_agg(null::uuid order by request.nr) as root_ids,
       array_agg(coalesce(convert_to(sent.rendered, 'UTF8'), request.earlier_body) order by request.nr) as bodies
from request left join minted on minted.nr = request.nr
left join sent on sent.room_id = minted.room_id and sent.message_id = minted.message_id
"""

# Lock attachments before the head of their room, so that of two concurrent sends only one gets them. The result is null
# unless all of them belong to the sender and the room and are used neither in a message nor on the room's page yet.
# Parameters: $1 key_hash, $2 room_id, $3 attachment_ids, $4 now (ms), $5 address
# Returns: attachments (JSON, as in the message)
LOCK_ATTACHMENTS = """
with locked as materialized (
    select * from attachments where room_id = $2 and attachment_id = any($3::uuid[]) order by attachment_id for update
)
select case when count(*) = cardinality($3) and bool_and(
                locked.created_by = who.actor_id and locked.message_id is null and locked.block_id is null)
            then jsonb_agg(jsonb_build_object(
                'attachment_id', locked.attachment_id, 'name', locked.name, 'media_type', locked.media_type,
                'size', locked.size, 'width', locked.width, 'height', locked.height) order by named.nr)
            end as attachments
from caller_of($1, time_of_ms($4), 'messages:write', $5::text::inet) who
cross join unnest($3) with ordinality as named (attachment_id, nr) join locked using (attachment_id)
"""

# Parameters: $1 room_id, $2 attachment_ids, $3 message_id
ASSIGN_ATTACHMENTS = "update attachments set message_id = $3 where room_id = $1 and attachment_id = any($2::uuid[])"

# Parameters: $1 room_id, $2 message_id
# Returns: rendered (JSON)
READ = "select rendered from messages where room_id = $1 and message_id = $2"

# Read a message and lock its row.
# Parameters: $1 room_id, $2 message_id
# Returns: rendered (JSON)
READ_FOR_CHANGE = "select rendered from messages where room_id = $1 and message_id = $2 for update"

# Those of the actors who are members of the organization, in the given order.
# Parameters: $1 organization_id, $2 actor_ids
# Returns: actor_id
MENTIONED_MEMBERS = """
select m.actor_id from unnest($2::uuid[]) with ordinality as named (actor_id, nr)
join memberships m on m.actor_id = named.actor_id and m.organization_id = $1 and m.active_when_proven is null
order by named.nr
"""

# The statements that change a message publish the live event too, under the lock of the message's row.

# Parameters: $1 room_id, $2 message_id, $3 space_id, $4 text, $5 blocks (JSON), $6 mentions (actor ids), $7 edited_at
# Returns: rendered (JSON)
EDIT = """
with edited as (
    update messages set text = $4, blocks = $5, mentions = $6, edited_at = $7
    where room_id = $1 and message_id = $2
    returning room_id, message_id, rendered, coalesce(thread_root_id, message_id) as root_id
), live as (
    insert into live_events (kind, space_id, room_id, message_id)
    select 'message.edited', $3, room_id, message_id from edited
), mentioned as (
    insert into mentions (room_id, person_id, message_id)
    select distinct room_id, unnest($6::uuid[]), message_id from edited on conflict do nothing
), taking_part as (
    insert into thread_participants (room_id, person_id, thread_root_id)
    select distinct room_id, unnest($6::uuid[]), root_id from edited on conflict do nothing
)
select rendered from edited
"""

# Replace a message by its tombstone, also in the stored events that include it.
# Parameters: $1 room_id, $2 message_id, $3 space_id, $4 deleted_at
DELETE_MESSAGE = """
with deleted as (
    update messages set text = '', blocks = '[]', mentions = '{}', attachments = '[]', reactions = '[]', deleted_at = $4
    where room_id = $1 and message_id = $2
    returning room_id, message_id, rendered
), emptied as (
    update deliveries d set body = with_state_of_message(d.body, deleted.rendered)
    from deleted where included_message(d.body) = deleted.message_id
)
insert into live_events (kind, space_id, room_id, message_id)
select 'message.deleted', $3, room_id, message_id from deleted
"""

# Parameters: $1 room_id, $2 message_id, $3 dropped_at
DROP_ATTACHMENTS = """
with deleted as (delete from attachments where room_id = $1 and message_id = $2 returning object)
insert into dropped_objects (object, dropped_at) select object, $3 from deleted
on conflict do nothing
"""

# Parameters: $1 room_id, $2 message_id, $3 space_id, $4 reactions (JSON), $5 kind of the event, $6 emoji, $7 actor_id
# Returns: rendered (JSON)
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
