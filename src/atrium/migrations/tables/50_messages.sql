-- Messages and pages of blocks. These tables grow with the rooms: each begins with the room that it belongs to, and
-- refers to nothing outside of it.

-- `last_seq` is the last id's time in milliseconds * 4096 + its counter. Locking the row is the room's lock.
create table room_heads (
    room_id uuid primary key,
    last_seq bigint not null,
    last_message_id uuid
);

-- `rendered` is the JSON of the message. It stands before everything of varying length: a page reads only this column,
-- and finds it without unpacking others.
-- Once messages no longer fit into memory, the worker writes older ones again, in the order of their rooms
-- (messages/packing.py), by an update of `packed`, which nothing reads: no trigger names it, and neither do `rendered`
-- and the indexes.
create table messages (
    room_id uuid not null,
    message_id uuid not null,
    rendered text not null generated always as (render_message(
        message_id, room_id, user_id, sender_type, parent_id, thread_root_id, text, blocks, mentions, attachments,
        reactions, reply_count, last_reply_at, sent_at, edited_at, deleted_at)) stored,
    user_id uuid not null,
    sender_type actor_kind not null,
    parent_id uuid,
    thread_root_id uuid,
    text text not null,
    blocks jsonb not null default '[]',
    mentions uuid[] not null default '{}',
    attachments jsonb not null default '[]',
    reactions jsonb not null default '[]',
    reply_count integer not null default 0,
    last_reply_at timestamptz,
    sent_at timestamptz not null,
    edited_at timestamptz,
    deleted_at timestamptz,
    packed boolean,
    primary key (room_id, message_id)
);
-- One index for both: the replies of a thread, and (where the root is null) the top level of a room.
create index messages_by_thread on messages (room_id, thread_root_id, message_id);

-- The messages before `until` (milliseconds since 1970, the time in their ids) have been written again. One row.
create table packing (
    until bigint not null,
    one boolean primary key default true check (one)
);
insert into packing (until) values (0);

-- When messages of a room that existed already were last changed, or older ones were imported: a number that only
-- grows, microseconds since 1970, so that it does not repeat where a database goes back to an earlier state. With the
-- number in room_heads, which every send moves, it shows whether a page that was read before is still true. A table of
-- its own, locked last: an edit that locked the head after its message would meet a reply that locks the root after the
-- head.
create table room_changes (
    room_id uuid primary key,
    changed bigint not null
) with (fillfactor = 50);

create table blocks (
    room_id uuid not null,
    block_id uuid not null,
    parent_block_id uuid,
    position integer not null,
    type text not null,
    content jsonb not null,
    version integer not null,
    created_by uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    updated_by uuid,
    primary key (room_id, block_id)
);
create index blocks_by_id on blocks (block_id);

-- Blocks that were deleted and can still be restored. `root_id` is the block whose deletion took the others along.
create table deleted_blocks (
    room_id uuid not null,
    block_id uuid not null,
    root_id uuid not null,
    parent_block_id uuid,
    position integer not null,
    type text not null,
    content jsonb not null,
    version integer not null,
    created_by uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    updated_by uuid,
    deleted_at timestamptz not null,
    primary key (room_id, block_id)
);
create index deleted_blocks_by_root on deleted_blocks (room_id, root_id);
create index deleted_blocks_by_time on deleted_blocks (deleted_at);

create table idempotency_keys (
    scope_id uuid not null,
    actor_id uuid not null,
    route text not null,
    key text not null,
    body_hash bytea not null,
    status smallint,
    answer bytea,
    created_at timestamptz not null,
    primary key (scope_id, actor_id, route, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- What an import has created from which object of its source, so that another import does not create it again.
create table imported (
    scope_id uuid not null,
    source text not null,
    external_id text not null,
    internal_id uuid not null,
    primary key (scope_id, source, external_id)
);
