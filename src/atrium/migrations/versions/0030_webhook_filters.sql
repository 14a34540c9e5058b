-- Filters of subscriptions to messages, in addition to the type of room, and the message itself in the event.

alter table subscriptions
    add column sender_ids uuid[],
    add column not_sender_ids uuid[],
    add column sender_type text,
    add column thread text,
    add column mentions uuid[],
    add column words text[],
    add column words_pattern text, -- of `words`, as a regular expression
    add column words_like text[], -- of `words`, as patterns of LIKE in lower case
    add column includes_message boolean not null default false;

-- Add `words_like` to rows of subscriptions: a text that is like none of these has none of the words. It spares most
-- comparisons with the regular expression: PostgreSQL keeps few of these compiled, and compiling one takes longer than
-- all the rest.
create function with_words_like(rows jsonb) returns jsonb
language sql stable parallel safe as $$
    select jsonb_agg(each || jsonb_build_object('words_like', (
        select array_agg('%' || regexp_replace(lower(word), '([\\%_])', '\\\1', 'g') || '%')
        from jsonb_array_elements_text(each -> 'words') word)))
    from jsonb_array_elements(rows) each
$$;

-- The first field of a subscription's filter that keeps an event out; null for none. What is not about a message has no
-- sender, so that only the type of its room counts.
create function keeps_out(s subscriptions, type_of_room text, sender uuid, kind text, is_reply boolean, mentioned uuid[],
                          body text) returns text
language sql stable parallel safe
return case
    when s.room_type <> type_of_room then 'room_type'
    when sender <> all(s.sender_ids) then 'sender_ids'
    when sender = any(s.not_sender_ids) then 'not_sender_ids'
    when s.sender_type <> kind then 'sender_type'
    when (s.thread = 'reply') <> is_reply then 'thread'
    when s.mentions is not null and not mentioned && s.mentions then 'mentions'
    when not (case when lower(body) like any(s.words_like) then body ~* s.words_pattern else s.words_like is null end)
        then 'words'
end;

-- The webhooks with a subscription to an event of a room or of its space, and whether it has the message.
create function subscribers_to(room uuid, space uuid, wanted text, type_of_room text, sender uuid, kind text,
                               is_reply boolean, mentioned uuid[], body text)
returns table (webhook_id uuid, active boolean, includes_message boolean)
language sql stable parallel safe as $$
    select w.webhook_id, w.status = 'WEBHOOK_STATUS_ACTIVE', matching.includes_message
    from (select s.webhook_id, bool_or(s.includes_message) as includes_message from subscriptions s
          where s.subject_id = any(array[room, space]) and s.subscription_type = wanted
            and keeps_out(s, type_of_room, sender, kind, is_reply, mentioned, body) is null
          group by s.webhook_id) matching
    join webhooks w on w.webhook_id = matching.webhook_id
$$;

-- The data of an event, with the message if a subscription includes it.
create function with_message(data text, message text, is_included boolean) returns text
language sql immutable parallel safe
return case when is_included then concat(left(data, -1), ',"message":', message, '}') else data end;

drop function queue_event(text, text, uuid, uuid, text, bigint, text);

-- Queue an event for the webhooks with a subscription to its subject, or to `wider`, such as the space of a room.
create function queue_event(event text, kind text, subject uuid, wider uuid, type_of_room text, at_ms bigint, data text,
                            message messages default null) returns void
language sql as $$
    with fanned as (
        insert into deliveries (webhook_id, delivery_id, event_type, subject_type, subject_id, body, status,
                                next_attempt_at, created_at)
        select s.webhook_id, id_at(at_ms << 12), event, kind, subject,
               event_body(event, kind, subject, at_ms, with_message(data, message.rendered, s.includes_message)),
               case when s.active then 'DELIVERY_STATUS_PENDING' else 'DELIVERY_STATUS_MISSED' end::delivery_status,
               case when s.active then time_of_ms(at_ms) end, time_of_ms(at_ms)
        from subscribers_to(subject, wider, subscription_type(event), type_of_room, message.user_id,
                            message.sender_type::text, message.thread_root_id is not null, message.mentions,
                            message.text) s
        returning webhook_id, delivery_id, next_attempt_at
    )
    insert into due_deliveries (webhook_id, delivery_id, due_at)
    select webhook_id, delivery_id, next_attempt_at from fanned where next_attempt_at is not null
$$;

create or replace function queue_live_event() returns trigger
language plpgsql as $$
declare
    event text := replace(new.kind, '.', '_');
    room rooms;
    sent messages;
begin
    if not is_subscribed(event, new.room_id, new.space_id) then
        return null;
    end if;
    select * into room from rooms where room_id = new.room_id;
    select * into sent from messages where room_id = new.room_id and message_id = new.message_id;
    if new.room_id is null then
        perform queue_event(event, 'space', new.space_id, new.space_id, null, ms_of(new.at), new.data::text);
    else
        perform queue_event(event, 'room', new.room_id, new.space_id, room.room_type, ms_of(new.at), (case
            when sent.message_id is null then jsonb_build_object(
                'room_id', room.room_id, 'space_id', room.space_id, 'name', room.name, 'room_type', room.room_type)
            when new.data is not null then jsonb_build_object(
                'message_id', sent.message_id, 'room_id', sent.room_id) || new.data
            else jsonb_build_object(
                'message_id', sent.message_id, 'room_id', sent.room_id, 'user_id', sent.user_id,
                'status', case when sent.deleted_at is null then 'SENT' else 'DELETED' end,
                'created_at', json_time(sent.sent_at)::jsonb,
                case when sent.deleted_at is null then 'edited_at' else 'deleted_at' end,
                json_time(coalesce(sent.deleted_at, sent.edited_at))::jsonb) end)::text,
            case when event = 'message_edited' then sent end);
    end if;
    return null;
end $$;

