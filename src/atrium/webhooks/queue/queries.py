"""The SQL that queues the events of the log for webhooks."""

# Returns: exists
HAS_EVENTS = """
select exists (select from live_positions p cross join lateral live_unseen(p.seen, pg_current_snapshot()) e
               where p.consumer = 'webhooks')
"""

# Lock the position, unless another process has locked it.
# Returns: seen, until, last_seq
TRY_LOCK_POSITION = """
select seen::text, until::text, last_seq from live_positions where consumer = 'webhooks' for update skip locked
"""

# The next events of the log: the snapshot in which they are visible, the last of them, whether it is the last that the
# snapshot shows, and the texts among them that subscriptions with words are for, each with the version of the words of
# its room or of its space. There is at least one row.
# Parameters: $1 seen, $2 until, null for the current snapshot, $3 last_seq, $4 limit, $5 limit in bytes of texts, which
# the last of them may exceed
# Returns: until, last_seq, is_end, message_id, text, subject_id, version
READ = """
with here as (
    select coalesce($2::text::pg_snapshot, pg_current_snapshot()) as until
), next as materialized (
    select e.seq, e.kind, e.space_id, e.room_id, e.message_id
    from here cross join lateral live_unseen($1::text::pg_snapshot, here.until) e
    where e.seq > $3 order by e.seq limit $4
), compared as materialized (
    select next.seq, next.room_id, next.message_id, f.subject_id, f.version,
           sum(m.size) over (order by next.seq, f.subject_id) as bytes
    from next join filtered_subjects f on f.subject_id in (next.room_id, next.space_id)
    cross join lateral (
        select octet_length(text) as size from messages
        where room_id = next.room_id and message_id = next.message_id offset 0) m
    where next.kind in ('message.sent', 'message.edited')
), slice as (
    select coalesce((select min(seq) from compared where bytes > $5), (select max(seq) from next)) as last_seq
)
select here.until::text as until, slice.last_seq,
       (select count(*) < $4 and coalesce(max(seq), 0) <= coalesce(slice.last_seq, 0) from next) as is_end,
       said.message_id, said.text, said.subject_id, said.version
from here cross join slice left join lateral (
    select c.message_id, m.text, c.subject_id, c.version
    from compared c cross join lateral (
        select text from messages where room_id = c.room_id and message_id = c.message_id offset 0) m
    where c.seq <= slice.last_seq) said on true
"""

# Parameters: $1 subject_id
# Returns: words
WORDS = "select array(select distinct word from filter_words where subject_id = $1) as words"

# Queue events for the webhooks that subscribe to them, and move the position. An event says of a message or a room what
# is true of it now. Of deleted rooms only their deletion goes out: the rest is missed. `offset 0` keeps the planner
# from reading subscriptions to other subjects.
# Parameters: $1 seen, $2 until, $3 last_seq, $4 the last of these events, $5 now, $6 message_ids and $7 the words of
# filters that each has, as arrays in PostgreSQL's notation, $8 whether these events are the last that `until` shows
# Returns: count
QUEUE = """
with event as materialized (
    select e.seq, e.kind, replace(e.kind, '.', '_') as event_type, e.room_id, e.space_id, e.data as change,
           case when e.room_id is not null then 'room' when e.space_id is not null then 'space'
                else 'organization' end as subject_type,
           coalesce(e.room_id, e.space_id, e.organization_id) as subject_id,
           ms_of(case when e.kind = 'message.sent' then sent.sent_at else e.at end) as at_ms,
           room.name, room.room_type, sent.*,
           e.kind <> 'room.deleted' and coalesce(room.deleted_at, space.deleted_at) is not null as is_too_late
    from live_unseen($1::text::pg_snapshot, $2::text::pg_snapshot) e
    left join lateral (
        select name, room_type, deleted_at from rooms where room_id = e.room_id offset 0) room on true
    left join lateral (select deleted_at from spaces where space_id = e.space_id offset 0) space on true
    left join lateral (
        select message_id, user_id, sender_type::text as sender_type, thread_root_id is not null as is_reply, mentions,
               rendered, sent_at, edited_at, deleted_at as removed_at
        from messages where room_id = e.room_id and message_id = e.message_id offset 0) sent on true
    where e.seq > $3 and e.seq <= $4 and e.actor_id is null
      and (e.message_id is null or sent.message_id is not null)
      and exists (
          select from (select subscription_type from subscriptions
                       where subject_id in (e.room_id, e.space_id, e.organization_id) offset 0) s
          where s.subscription_type = subscription_type(replace(e.kind, '.', '_')))
), wanted as materialized (
    select event.*, subscriber.*, id_of_delivery(at_ms, seq, webhook_id) as delivery_id,
           least(time_of_ms(at_ms), $5) as due_at, active and not is_too_late as is_due
    from event left join unnest($6::uuid[], $7::text[]) has (message_id, words) using (message_id)
    cross join lateral subscribers_to(subject_id, space_id, subscription_type(event_type), room_type, user_id,
                                      sender_type, is_reply, mentions, has.words::text[]) subscriber
), queued as (
    insert into deliveries (webhook_id, delivery_id, event_type, subject_type, subject_id, body, status,
                            next_attempt_at, created_at)
    select webhook_id, delivery_id, event_type, subject_type, subject_id,
           event_body(event_type, subject_type, subject_id, at_ms, with_message(case
               when kind = 'message.sent' then concat(
                   '{"message_id":"', message_id, '","room_id":"', room_id, '","user_id":"', user_id,
                   '","status":"SENT","created_at":', json_time_of_ms(at_ms), '}')
               when kind = 'message.edited' then jsonb_build_object(
                   'message_id', message_id, 'room_id', room_id, 'user_id', user_id, 'status', 'SENT',
                   'created_at', rfc3339(sent_at), 'edited_at', rfc3339(edited_at))::text
               when kind = 'message.deleted' then jsonb_build_object(
                   'message_id', message_id, 'room_id', room_id, 'user_id', user_id, 'status', 'DELETED',
                   'created_at', rfc3339(sent_at), 'deleted_at', rfc3339(removed_at))::text
               when message_id is not null then (
                   jsonb_build_object('message_id', message_id, 'room_id', room_id) || change)::text
               when kind like 'room.%' then jsonb_build_object(
                   'room_id', room_id, 'space_id', space_id, 'name', name, 'room_type', room_type)::text
               when kind = 'audit_entry' then (
                   select audit_entry_json(e) from audit_entries e
                   where e.organization_id = subject_id and e.entry_id = (change ->> 'entry_id')::uuid)::text
               else change::text end, rendered, includes_message)),
           (case when is_due then 'DELIVERY_STATUS_PENDING' else 'DELIVERY_STATUS_MISSED' end)::delivery_status,
           case when is_due then due_at end, time_of_ms(at_ms)
    from wanted
), due as (
    insert into due_deliveries (webhook_id, delivery_id, subject_id, due_at)
    select webhook_id, delivery_id, subject_id, due_at from wanted where is_due order by seq
), moved as (
    update live_positions
    set (seen, until, last_seq) = (select case when $8 then $2::text::pg_snapshot else seen end,
                                          case when not $8 then $2::text::pg_snapshot end,
                                          case when $8 then 0 else $4 end)
    where consumer = 'webhooks'
)
select count(*) from wanted
"""
