-- Webhooks, what they subscribe to, and their deliveries.

-- `headers`, secrets and `authentication` (JSON with its secret, null for none) are encrypted with the key of this
-- installation. `certificate_mailed_at` is when a mail about the end of the client certificate was last queued, or the
-- certificate set.
-- `retry_schedule` has the seconds between the attempts of a delivery, `time_limit` those of one attempt; null for the
-- values of the installation. `ordering` is null for any order, `rate_limit` null for no limit; `next_slot_at` is when
-- the rate allows the next attempt.
create table webhooks (
    webhook_id uuid not null,
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
    created_at timestamptz not null,
    retry_schedule integer[],
    time_limit smallint,
    ordering text,
    rate_limit smallint,
    next_slot_at timestamptz,
    authentication bytea,
    certificate_ends_at timestamptz,
    certificate_mailed_at timestamptz
);
-- While the table is almost empty, PostgreSQL takes the newest index that it can use, so the key comes last.
create index webhooks_by_organization on webhooks (organization_id, webhook_id);
alter table webhooks add primary key (webhook_id);

-- The columns from `room_type` to `words` filter the events; null for no filter. `includes_message` puts the message
-- itself into the event.
create table subscriptions (
    webhook_id uuid not null references webhooks on delete cascade,
    nr smallint not null,
    subject_type text not null,
    subject_id uuid not null,
    subscription_type text not null,
    room_type text,
    sender_ids uuid[],
    not_sender_ids uuid[],
    sender_type text,
    thread text,
    mentions uuid[],
    words text[],
    includes_message boolean not null default false,
    primary key (webhook_id, nr)
);
-- Subscriptions without words. The expression, instead of a condition, is one that no other index has: even a plan that
-- was made while the table was almost empty does not read those with words.
create index subscriptions_without_words on subscriptions
    ((case when words is null then subject_id end), subscription_type);
create index subscriptions_by_subject on subscriptions (subject_id);

-- Words of filters are looked for by the application, which has the words of the product's search: a statement gets the
-- words that a text has, and finds the subscriptions that want them by this table.
create table filter_words (
    webhook_id uuid not null,
    nr smallint not null,
    word text not null,
    subject_id uuid not null,
    primary key (webhook_id, nr, word),
    foreign key (webhook_id, nr) references subscriptions on delete cascade
);
create index filter_words_by_subject on filter_words (subject_id, word);

-- The rooms and spaces that have such subscriptions. The version changes whenever their words do, so that a statement
-- sees whether the words it was given are those of today.
create table filtered_subjects (
    subject_id uuid primary key,
    version uuid not null default gen_random_uuid()
);

-- The log of deliveries. It grows with the messages: it begins with the webhook and refers to nothing. A delivery's id
-- is a UUIDv7, so partitions by id are partitions by time: `keep_deliveries` makes one for each day, and
-- `deliveries_other` takes the rows for which there is none.
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
-- The stored events that include a message, which are emptied when it is deleted.
create index deliveries_with_message on deliveries (included_message(body)) where included_message(body) is not null;

-- The queue: each delivery that has an attempt pending. A claim moves `due_at` to the end of its lease: if the worker
-- dies, the delivery is due again. `subject_id` is what the delivery is about, so that those of a room can go out in
-- the order of their events: `position` has the order of their commits, where one waits for the other. A delivery
-- without a subject waits for all others without one.
create table due_deliveries (
    webhook_id uuid not null,
    delivery_id uuid not null,
    due_at timestamptz not null,
    attempts_made smallint not null default 0,
    manual boolean not null default false,
    leased boolean not null default false,
    subject_id uuid not null default '00000000-0000-0000-0000-000000000000',
    position bigint generated by default as identity
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
-- Plans are made while the queue is empty. Then several of its indexes cost the same, and PostgreSQL takes the newest
-- of them: the order of these statements matters. By time, a delivery would be found among all that its webhook has
-- waiting, so the key is newer. tests/house/test_queue_plans.py shows which indexes are used.
create index due_deliveries_by_time on due_deliveries (webhook_id, due_at);
alter table due_deliveries add primary key (webhook_id, delivery_id);
-- A leased delivery is found in the order of its time, so that this index is not used instead of the key.
create index due_deliveries_leased on due_deliveries (webhook_id, due_at) where leased;
-- The condition, true of every row, keeps statements that find a delivery by its key from using this index.
create index due_deliveries_by_subject on due_deliveries (webhook_id, subject_id, position) where position > 0;

-- The attempts of a webhook that ended in an hour. `durations` counts the answers by their duration
-- (webhooks/health/histogram.py). Workers add to a row every few seconds, so its page has room for new versions of it.
create table webhook_health (
    webhook_id uuid not null,
    hour timestamptz not null,
    attempts integer not null,
    succeeded integer not null,
    durations integer[] not null,
    primary key (webhook_id, hour)
) with (fillfactor = 70);
create index webhook_health_by_hour on webhook_health (hour);
