-- Bytes: what was stored of each object, part by part. A part's place in the storage is `object/part`, and no part is ever
-- written twice, so what a row here names does not change any more.

create table media_parts (
    object uuid not null,
    starts_at bigint not null,
    size integer not null,
    part uuid not null,
    primary key (object, starts_at)
);

-- Objects that nothing names any more; they wait to be taken out of the storage.
create table dropped_objects (
    object uuid primary key,
    dropped_at timestamptz not null
);

-- What is on its way. `upload_id` becomes the id of the recording or attachment and the name of its object. `size` is null
-- until it is known; `writer` is the request whose bytes count, so that of two only the later one writes.
create table uploads (
    upload_id uuid primary key,
    room_id uuid not null,
    kind text not null,
    name text not null,
    size bigint,
    received bigint not null default 0,
    parts integer not null default 0,
    writer uuid,
    created_by uuid not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    finished_at timestamptz
);
create index uploads_by_expiry on uploads (expires_at);
create index uploads_by_room on uploads (room_id);

-- A row is there when all of its bytes are.
create table recordings (
    room_id uuid not null,
    recording_id uuid not null,
    name text not null,
    media_type text not null,
    size bigint not null,
    duration_ms integer,
    object uuid not null,
    created_by uuid not null,
    created_at timestamptz not null,
    ready_at timestamptz not null,
    deleted_at timestamptz,
    primary key (room_id, recording_id)
);
create unique index recordings_by_id on recordings (recording_id);

-- `thumbnail` is an image's small picture, a piece in the folder of its object; `width` and `height` are there exactly when
-- it is.
create table attachments (
    room_id uuid not null,
    attachment_id uuid not null,
    name text not null,
    media_type text not null,
    size bigint not null,
    width integer,
    height integer,
    object uuid not null,
    thumbnail uuid,
    thumbnail_size integer,
    created_by uuid not null,
    created_at timestamptz not null,
    message_id uuid,
    primary key (room_id, attachment_id)
);
create unique index attachments_by_id on attachments (attachment_id);
create index attachments_by_message on attachments (room_id, message_id) where message_id is not null;
create index attachments_unused on attachments (created_at) where message_id is null;

-- Messages name their attachments. The table is made anew, because no column can be put before another, and `rendered`
-- has to stand before everything of varying length.

alter table messages rename to messages_before;
alter index messages_pkey rename to messages_before_pkey;
alter index messages_by_thread rename to messages_before_by_thread;

create function render_message(
    message_id uuid, room_id uuid, user_id uuid, sender_type actor_kind, parent_id uuid, thread_root_id uuid,
    text text, blocks jsonb, mentions uuid[], attachments jsonb, reactions jsonb, reply_count integer,
    last_reply_at timestamptz, sent_at timestamptz, edited_at timestamptz, deleted_at timestamptz
) returns text language plpgsql immutable parallel safe as $$
declare
    sent text := json_time(sent_at);
begin
    return '{"message_id":"' || message_id || '","room_id":"' || room_id || '","user_id":"' || user_id
        || '","sender_type":"' || sender_type || '","parent_id":' || coalesce('"' || parent_id || '"', 'null')
        || ',"thread_root_id":' || coalesce('"' || thread_root_id || '"', 'null')
        || ',"status":' || case when deleted_at is null then '"SENT"' else '"DELETED"' end
        || ',"text":' || to_json(text) || ',"blocks":' || blocks || ',"mentions":' || array_to_json(mentions)
        || ',"attachments":' || attachments || ',"reactions":' || reactions || ',"reply_count":' || reply_count
        || ',"last_reply_at":' || case when last_reply_at is null then 'null' else json_time(last_reply_at) end
        || ',"sent_at":' || sent || ',"created_at":' || sent
        || ',"edited_at":' || case when edited_at is null then 'null' else json_time(edited_at) end
        || ',"deleted_at":' || case when deleted_at is null then 'null' else json_time(deleted_at) end || '}';
end $$;

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
    deleted_at timestamptz
);
insert into messages (room_id, message_id, user_id, sender_type, parent_id, thread_root_id, text, blocks, mentions, reactions,
                      reply_count, last_reply_at, sent_at, edited_at, deleted_at)
select room_id, message_id, user_id, sender_type, parent_id, thread_root_id, text, blocks, mentions, reactions, reply_count,
       last_reply_at, sent_at, edited_at, deleted_at
from messages_before;
drop table messages_before;
drop function render_message(uuid, uuid, uuid, actor_kind, uuid, uuid, text, jsonb, uuid[], jsonb, integer, timestamptz,
                             timestamptz, timestamptz, timestamptz);
alter table messages add primary key (room_id, message_id);
create index messages_by_thread on messages (room_id, thread_root_id, message_id);
