-- Who is told: webhooks and what they subscribe to. Secrets and headers are sealed with the key of this installation.

create type webhook_status as enum ('WEBHOOK_STATUS_ACTIVE', 'WEBHOOK_STATUS_INACTIVE', 'WEBHOOK_STATUS_PAUSED');

create table webhooks (
    webhook_id uuid primary key,
    organization_id uuid not null references organizations,
    name text not null,
    description text not null,
    endpoint_url text not null,
    headers bytea not null,
    status webhook_status not null,
    secret bytea not null,
    old_secret bytea,
    old_secret_until timestamptz,
    failure_count integer not null default 0,
    first_failure_at timestamptz,
    paused_at timestamptz,
    pause_reason text,
    created_by uuid references actors,
    created_at timestamptz not null
);
create index webhooks_by_organization on webhooks (organization_id, webhook_id);

create table subscriptions (
    webhook_id uuid not null references webhooks on delete cascade,
    nr smallint not null,
    subject_type text not null,
    subject_id uuid not null,
    subscription_type text not null,
    room_type text,
    primary key (webhook_id, nr)
);
create index subscriptions_by_subject on subscriptions (subject_id);

-- What they are told: volume tables, which begin with the webhook and refer to nothing. A delivery's id is a UUIDv7, so
-- that partitions by id are partitions by time. `deliveries_other` takes what no day's partition is there for.

create type delivery_status as enum (
    'DELIVERY_STATUS_PENDING', 'DELIVERY_STATUS_RETRYING', 'DELIVERY_STATUS_SUCCEEDED', 'DELIVERY_STATUS_FAILED',
    'DELIVERY_STATUS_MISSED');

create table deliveries (
    webhook_id uuid not null,
    delivery_id uuid not null,
    event_type text not null,
    subject_type text not null,
    subject_id uuid not null,
    body bytea not null,
    status delivery_status not null,
    counted boolean not null default false,
    attempts jsonb not null default '[]',
    next_attempt_at timestamptz,
    created_at timestamptz not null,
    primary key (webhook_id, delivery_id)
) partition by range (delivery_id);
create table deliveries_other partition of deliveries default;
create index deliveries_missed on deliveries (webhook_id, delivery_id) where status = 'DELIVERY_STATUS_MISSED';

-- Whatever still has an attempt to come. A claim moves `due_at` to the end of its lease: where the worker dies, the
-- delivery is simply due again.
create table due_deliveries (
    webhook_id uuid not null,
    delivery_id uuid not null,
    due_at timestamptz not null,
    attempts_made smallint not null default 0,
    manual boolean not null default false,
    leased boolean not null default false,
    primary key (webhook_id, delivery_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
create index due_deliveries_by_time on due_deliveries (webhook_id, due_at);
create index due_deliveries_leased on due_deliveries (webhook_id) where leased;

create function wake_workers() returns trigger language plpgsql as $$
begin
    if exists (select from fresh) then
        perform pg_notify('deliveries', '');
    end if;
    return null;
end $$;
create trigger wake_workers after insert on due_deliveries
    referencing new table as fresh for each statement execute function wake_workers();

-- The webhooks that an event of a room is for, each once, whatever their status.
create function subscribers(room uuid, space uuid, type_of_room text, wanted text)
returns table (webhook_id uuid, active boolean) language sql stable parallel safe as $$
    select w.webhook_id, w.status = 'WEBHOOK_STATUS_ACTIVE' from webhooks w
    where w.webhook_id in (
        select s.webhook_id from subscriptions s
        where s.subject_id = any(array[room, space]) and s.subscription_type = wanted
          and (s.room_type is null or s.room_type = type_of_room))
$$;

-- The envelope of an event of a room (contract, Webhook event envelope); `data` is JSON text.
create function room_event(event_type text, room uuid, at_ms bigint, data text) returns bytea
language sql stable parallel safe
return convert_to(concat('{"event_type":"', event_type, '","subject":{"type":"room","id":"', room, '"},"timestamp":',
    json_time_of_ms(at_ms), ',"data":', data, '}'), 'UTF8');

-- Partitions of a day each: those of the coming days are made, those older than `keep` days are dropped whole. Called
-- often; what cannot be locked at once, or finds rows in its place already, is left for the next time.
create function keep_deliveries(now timestamptz, keep integer) returns void language plpgsql as $$
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
        if to_regclass(part) is null then
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
