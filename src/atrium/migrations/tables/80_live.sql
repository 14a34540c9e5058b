-- The log of events: one small row for each change, for a day and a little more. Streams read it, and so does the worker
-- that queues events for webhooks. A row goes to one actor if it has an `actor_id`, else to all who reach its `space_id`,
-- else to all of its `organization_id`.
--
-- `seq` is drawn under the lock of what changes (a room's head, a message), so that it rises within a room. `xid` shows
-- which snapshots see the row. A reader asks for what its last snapshot did not see and this one does, so it gets each
-- row once, however late it was committed.

create sequence live_events_seq;

create table live_events (
    seq bigint not null default nextval('live_events_seq'),
    xid xid8 not null default pg_current_xact_id(),
    at timestamptz not null default now(),
    space_id uuid,
    room_id uuid,
    message_id uuid,
    actor_id uuid,
    organization_id uuid,
    kind text not null,
    data jsonb
) partition by range (at);
-- `keep_live_events` makes a partition for each day. Without a replica identity, rows of a table that is published for
-- replication cannot be deleted; each partition has its own.
create table live_events_other partition of live_events default;
alter table live_events replica identity full;
alter table live_events_other replica identity full;
create index live_events_by_xid on live_events (xid);

-- The position of each consumer of the log that keeps one: it has taken the events that `seen` shows, and of those that
-- `until` shows too, the ones up to `last_seq`; `until` is null between two of its turns. No event is removed before all
-- have taken it. The first position is before all events.
create table live_positions (
    consumer text primary key,
    seen pg_snapshot not null default '1:1:',
    until pg_snapshot,
    last_seq bigint not null default 0
);
insert into live_positions (consumer) values ('webhooks');

-- The database that the rows of the log belong to (live_identity). One row.
create table live_origin (identity text not null);
alter table live_origin replica identity full;

-- A crash loses transactions that were visible but not on the disk yet, and their numbers are given out again: what a
-- snapshot from before it says of them is then true of others. A crash also empties every unlogged table, and a stop in
-- order does not. So the value here names the time between two crashes. One row.
create unlogged table live_since (
    one boolean primary key default true check (one),
    crash uuid not null default gen_random_uuid()
);

-- Who types: a row for each person and room, so that an event is sent at most every few seconds. Worthless after a
-- crash.
create unlogged table typing (
    room_id uuid not null,
    actor_id uuid not null,
    at timestamptz not null,
    primary key (room_id, actor_id)
);
