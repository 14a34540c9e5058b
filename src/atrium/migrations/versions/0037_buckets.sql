-- A bucket is a schema with the tables that grow with the messages (migrations/buckets.py lists them). Bucket 0 is the
-- schema `public`, which has all other tables too, the directory. A room is in one bucket and stays there. `messages`
-- is the estimated number of the bucket's messages: a new room goes where the fewest are.
create table buckets (
    bucket smallint primary key,
    messages bigint not null default 0,
    created_at timestamptz not null default now()
);
insert into buckets (bucket) values (0);

alter table rooms add column bucket smallint not null default 0;
create index rooms_by_bucket on rooms (bucket);

-- The bucket of all new rooms of an organization, where it has one.
alter table organizations add column bucket smallint;

-- Where names of tables are looked up in statements that concern one bucket.
create function path_of_bucket(bucket smallint) returns text
language sql immutable parallel safe
return case when bucket = 0 then 'public' else concat('bucket_', bucket, ', public') end;

-- An event is queued in the bucket of its room, where it waits behind the room's earlier ones, whichever connection it
-- happens on; one without a room, in bucket 0. Its message is read here instead of passed, because each bucket has a type
-- of messages of its own.
drop function queue_event(text, text, uuid, uuid, text, bigint, text, messages);
create function queue_event(event text, kind text, subject uuid, wider uuid, type_of_room text, at_ms bigint, data text,
                            message uuid default null) returns void
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
                                          sent.text) s
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
            case when event = 'message_edited' then sent.message_id end);
    end if;
    return null;
end $$;

-- The deliveries of a room are in its bucket.
create or replace function miss_deliveries(organization uuid, rooms uuid[]) returns void
language plpgsql as $$
declare
    path text := current_setting('search_path');
    one smallint;
    waiting record;
begin
    for one in select distinct bucket from rooms r where r.room_id = any(miss_deliveries.rooms) loop
        perform set_config('search_path', path_of_bucket(one), true);
        for waiting in
            select d.webhook_id, d.delivery_id from webhooks w join due_deliveries d using (webhook_id)
            where w.organization_id = organization
        loop
            update deliveries set status = 'DELIVERY_STATUS_MISSED', next_attempt_at = null
            where webhook_id = waiting.webhook_id and delivery_id = waiting.delivery_id and subject_type = 'room'
              and subject_id = any(rooms) and status in ('DELIVERY_STATUS_PENDING', 'DELIVERY_STATUS_RETRYING');
            if found then
                delete from due_deliveries where webhook_id = waiting.webhook_id and delivery_id = waiting.delivery_id;
            end if;
        end loop;
    end loop;
    perform set_config('search_path', path, true);
end $$;

-- As before, except that a partition of another bucket with the same name is no partition of this one.
create or replace function keep_deliveries(now timestamptz, keep integer) returns void language plpgsql as $$
declare
    day date;
    part text;
begin
    if not pg_try_advisory_xact_lock(4125872) then
        return;
    end if;
    perform set_config('lock_timeout', '500ms', true);
    for day in select generate_series(now::date, now::date + 3, interval '1 day')::date loop
        part := 'deliveries_' || to_char(day, 'YYYYMMDD');
        if to_regclass(format('%I.%I', current_schema(), part)) is null then
            begin
                execute format('create table %I (like deliveries including all)', part);
                execute format('alter table deliveries attach partition %I for values from (%L) to (%L)', part,
                    id_floor(extract(epoch from day)::bigint * 1000),
                    id_floor(extract(epoch from day + 1)::bigint * 1000));
            exception when lock_not_available or check_violation then null;
            end;
        end if;
    end loop;
    for part in select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
                where i.inhparent = 'deliveries'::regclass and c.relname ~ '^deliveries_[0-9]{8}$'
                  and to_date(right(c.relname, 8), 'YYYYMMDD') < now::date - keep loop
        begin
            execute format('drop table %I', part);
        exception when lock_not_available then null;
        end;
    end loop;
    delete from deliveries_other where delivery_id < id_floor(extract(epoch from now::date - keep)::bigint * 1000);
    delete from due_deliveries where delivery_id < id_floor(extract(epoch from now::date - keep)::bigint * 1000);
end $$;

-- A room that moves to another bucket brings its head.
create or replace function start_search_head() returns trigger language plpgsql as $$
begin
    insert into search_heads (room_id) values (new.room_id) on conflict do nothing;
    return null;
end $$;

-- This trigger waits until the commit, when the transaction may have left the bucket of the message.
create or replace function note_change_of_message() returns trigger
language plpgsql as $$
declare
    path text := current_setting('search_path');
begin
    perform set_config('search_path', tg_table_schema || ', public', true);
    perform note_change(new.room_id);
    perform set_config('search_path', path, true);
    return null;
end $$;
