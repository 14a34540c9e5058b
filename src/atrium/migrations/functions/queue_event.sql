-- Queue an event for the webhooks with a subscription to its subject, or to `wider`, such as the space of a room. With
-- `message`, an event can include this message, and `words_found` are the words of filters that it has. Called by the
-- triggers that queue events and by EMIT.
create or replace function queue_event(event text, kind text, subject uuid, wider uuid, type_of_room text, at_ms bigint,
                                       data text, message uuid default null, words_found text[] default null)
returns void language plpgsql as $$
begin
    with fanned as (
        insert into deliveries (webhook_id, delivery_id, event_type, subject_type, subject_id, body, status,
                                next_attempt_at, created_at)
        select s.webhook_id, id_at(at_ms << 12), event, kind, subject,
               event_body(event, kind, subject, at_ms, with_message(data, sent.rendered, s.includes_message)),
               case when s.active then 'DELIVERY_STATUS_PENDING' else 'DELIVERY_STATUS_MISSED' end::delivery_status,
               case when s.active then time_of_ms(at_ms) end, time_of_ms(at_ms)
        from (select) one
        left join messages sent on sent.room_id = subject and sent.message_id = message
        cross join lateral subscribers_to(subject, wider, subscription_type(event), type_of_room, sent.user_id,
                                          sent.sender_type::text, sent.thread_root_id is not null, sent.mentions,
                                          words_found) s
        returning webhook_id, delivery_id, subject_id, next_attempt_at
    )
    insert into due_deliveries (webhook_id, delivery_id, subject_id, due_at)
    select webhook_id, delivery_id, subject_id, next_attempt_at from fanned where next_attempt_at is not null;
end $$;
