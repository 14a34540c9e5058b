-- As before, with `lowered`: the body in lower case, which takes longer than all the rest, and is the same for every
-- subscription.
create function keeps_out(s subscriptions, type_of_room text, sender uuid, kind text, is_reply boolean, mentioned uuid[],
                          body text, lowered text) returns text
language sql stable parallel safe
return case
    when s.room_type <> type_of_room then 'room_type'
    when sender <> all(s.sender_ids) then 'sender_ids'
    when sender = any(s.not_sender_ids) then 'not_sender_ids'
    when s.sender_type <> kind then 'sender_type'
    when (s.thread = 'reply') <> is_reply then 'thread'
    when s.mentions is not null and not mentioned && s.mentions then 'mentions'
    when s.words_like is not null and (lowered like any(s.words_like) and body ~* s.words_pattern) is not true
        then 'words'
end;

create or replace function keeps_out(s subscriptions, type_of_room text, sender uuid, kind text, is_reply boolean,
                                     mentioned uuid[], body text) returns text
language sql stable parallel safe
return keeps_out(s, type_of_room, sender, kind, is_reply, mentioned, body, lower(body));

-- As before. The subquery runs once, and only if a subscription has words.
create or replace function subscribers_to(room uuid, space uuid, wanted text, type_of_room text, sender uuid, kind text,
                                          is_reply boolean, mentioned uuid[], body text)
returns table (webhook_id uuid, active boolean, includes_message boolean)
language sql stable parallel safe as $$
    select w.webhook_id, w.status = 'WEBHOOK_STATUS_ACTIVE', matching.includes_message
    from (select s.webhook_id, bool_or(s.includes_message) as includes_message from subscriptions s
          where s.subject_id = any(array[room, space]) and s.subscription_type = wanted
            and keeps_out(s, type_of_room, sender, kind, is_reply, mentioned, body, (select lower(body))) is null
          group by s.webhook_id) matching
    join webhooks w on w.webhook_id = matching.webhook_id
$$;
