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
