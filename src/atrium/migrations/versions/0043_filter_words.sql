-- Words of filters are looked for by the application, which has the words of the product's search, and not here: a
-- statement gets the words that a text has, and finds the subscriptions that want them by this table.
create table filter_words (
    webhook_id uuid not null,
    nr smallint not null,
    word text not null,
    subject_id uuid not null,
    primary key (webhook_id, nr, word),
    foreign key (webhook_id, nr) references subscriptions on delete cascade
);
create index filter_words_by_subject on filter_words (subject_id, word);

-- The rooms and spaces that have such subscriptions. The version changes whenever their words do, so that a statement sees
-- whether it was given what those of today say.
create table filtered_subjects (
    subject_id uuid primary key,
    version uuid not null default gen_random_uuid()
);

insert into filter_words (webhook_id, nr, word, subject_id)
select distinct webhook_id, nr, unnest(words), subject_id from subscriptions where words is not null;
insert into filtered_subjects (subject_id) select distinct subject_id from filter_words;

create function add_filter_words() returns trigger
language plpgsql as $$
begin
    insert into filter_words (webhook_id, nr, word, subject_id)
    select distinct webhook_id, nr, unnest(words), subject_id from changed where words is not null;
    insert into filtered_subjects (subject_id)
    select distinct subject_id from changed where words is not null order by subject_id
    on conflict (subject_id) do update set version = excluded.version;
    return null;
end $$;

create function remove_filter_words() returns trigger
language plpgsql as $$
begin
    update filtered_subjects f set version = gen_random_uuid()
    where f.subject_id in (select subject_id from changed where words is not null);
    delete from filtered_subjects f
    where f.subject_id in (select subject_id from changed where words is not null)
      and not exists (select from subscriptions s where s.subject_id = f.subject_id and s.words is not null);
    return null;
end $$;

create trigger add_filter_words after insert on subscriptions
referencing new table as changed for each statement execute function add_filter_words();
create trigger remove_filter_words after delete on subscriptions
referencing old table as changed for each statement execute function remove_filter_words();

-- Subscriptions without words. The expression, instead of a condition, is one that no other index has: a plan that was made
-- while the table was almost empty does not read those with words either.
create index subscriptions_without_words on subscriptions
    ((case when words is null then subject_id end), subscription_type);

-- The first field of a subscription's filter, other than its words, that keeps an event out; null for none. What is not
-- about a message has no sender, so that only the type of its room counts.
create function keeps_out(s subscriptions, type_of_room text, sender uuid, kind text, is_reply boolean, mentioned uuid[])
returns text
language sql stable parallel safe
return case
    when s.room_type <> type_of_room then 'room_type'
    when sender <> all(s.sender_ids) then 'sender_ids'
    when sender = any(s.not_sender_ids) then 'not_sender_ids'
    when s.sender_type <> kind then 'sender_type'
    when (s.thread = 'reply') <> is_reply then 'thread'
    when s.mentions is not null and not mentioned && s.mentions then 'mentions'
end;

-- The webhooks with a subscription to an event of a room or of its space, and whether it has the message. `found` are the
-- words of filters that the message has. Subscriptions with words are looked for by these, one after the other.
create function subscribers_to(room uuid, space uuid, wanted text, type_of_room text, sender uuid, kind text,
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
    join webhooks w on w.webhook_id = matching.webhook_id
$$;

-- For processes of the release before: without patterns, a subscription with words gets nothing instead of everything.
create or replace function keeps_out(s subscriptions, type_of_room text, sender uuid, kind text, is_reply boolean,
                                     mentioned uuid[], body text, lowered text) returns text
language sql stable parallel safe
return coalesce(keeps_out(s, type_of_room, sender, kind, is_reply, mentioned), case
    when s.words is not null and (lowered like any(s.words_like) and body ~* s.words_pattern) is not true
        then 'words' end);

-- The words of filters that an edited message has: the event of an edit is sent to their subscribers.
alter table live_events add column words_found text[];

-- As before, with the words of filters that the message has.
drop function queue_event(text, text, uuid, uuid, text, bigint, text, uuid);
create function queue_event(event text, kind text, subject uuid, wider uuid, type_of_room text, at_ms bigint, data text,
                            message uuid default null, words_found text[] default null) returns void
language plpgsql as $$
declare
    path text := current_setting('search_path');
    own smallint := (select r.bucket from rooms r where kind = 'room' and r.room_id = subject);
begin
    perform set_config('search_path', path_of_bucket(coalesce(own, 0::smallint)), true);
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
    perform set_config('search_path', path, true);
end $$;

create or replace function queue_live_event() returns trigger
language plpgsql as $$
declare
    event text := replace(new.kind, '.', '_');
    room rooms;
    sent record;
begin
    if not is_subscribed(event, new.room_id, new.space_id) then
        return null;
    end if;
    select * into room from rooms where room_id = new.room_id;
    select message_id, room_id, user_id, sent_at, edited_at, deleted_at into sent from messages
    where room_id = new.room_id and message_id = new.message_id;
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
            case when event = 'message_edited' then sent.message_id end, new.words_found);
    end if;
    return null;
end $$;
