-- Return the webhooks with a subscription to an event of a room or of its space, each once, and whether it includes the
-- message. `found` are the words of filters that the message has. Subscriptions with words are looked for by these, one
-- after the other; `offset 0` keeps the planner from reading all webhooks for each event. Called by QUEUE.
create or replace function subscribers_to(room uuid, space uuid, wanted text, type_of_room text, sender uuid, kind text,
                                          is_reply boolean, mentioned uuid[], found text[])
returns table (webhook_id uuid, active boolean, includes_message boolean)
language sql stable parallel safe as $$
    select w.webhook_id, w.status = 'WEBHOOK_STATUS_ACTIVE', matching.includes_message
    from (select s.webhook_id, bool_or(s.includes_message) as includes_message
          from (select s.webhook_id, s.includes_message from subscriptions s
                where case when s.words is null then s.subject_id end = any(array[room, space])
                  and s.subscription_type = wanted
                  and keeps_out(s, type_of_room, sender, kind, is_reply, mentioned) is null
                union all
                select s.webhook_id, s.includes_message
                from unnest(found) has (word) cross join lateral (
                    select f.webhook_id, f.nr from filter_words f
                    where f.subject_id = any(array[room, space]) and f.word = has.word offset 0) f
                cross join lateral (
                    select s.webhook_id, s.includes_message from subscriptions s
                    where s.webhook_id = f.webhook_id and s.nr = f.nr and s.subscription_type = wanted
                      and keeps_out(s, type_of_room, sender, kind, is_reply, mentioned) is null offset 0) s) s
          group by s.webhook_id) matching
    cross join lateral (select webhook_id, status from webhooks where webhook_id = matching.webhook_id offset 0) w
$$;
