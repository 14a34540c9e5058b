-- Unread state of threads. A reply is unread for the people who take part in its thread, until they read the thread.

-- How far a person has read in a thread; `head_id` is the newest message of the room when they set the marker.
create table thread_markers (
    room_id uuid not null,
    person_id uuid not null,
    thread_root_id uuid not null,
    message_id uuid not null,
    head_id uuid not null,
    moved_at timestamptz not null,
    primary key (room_id, person_id, thread_root_id)
);

-- Who wrote or was mentioned in a thread, and every mention. A chore of the worker adds what was sent, up to the
-- message in `participation_heads`; statements read the messages after that themselves. Rows are candidates: they stay
-- when a mention is edited or deleted, and statements check the messages that they name.
create table thread_participants (
    room_id uuid not null,
    person_id uuid not null,
    thread_root_id uuid not null,
    primary key (room_id, person_id, thread_root_id)
);
create table mentions (
    room_id uuid not null,
    person_id uuid not null,
    message_id uuid not null,
    primary key (room_id, person_id, message_id)
);
create table participation_heads (
    room_id uuid primary key,
    recorded_id uuid not null
);

-- Until now a room's marker stood for its threads too. In threads without a marker, replies up to `threads_from` are
-- read: all there were, for a person who had read the room's newest top-level message.
alter table read_markers add column threads_from uuid;
update read_markers marker
set threads_from = case when exists (
        select from messages m
        where m.room_id = marker.room_id and m.thread_root_id is null and m.message_id > marker.message_id
          and m.message_id <= marker.head_id and m.user_id <> marker.person_id)
    then message_id else head_id end;

insert into mentions (room_id, person_id, message_id)
select distinct room_id, unnest(mentions), message_id from messages where mentions <> '{}';

insert into thread_participants (room_id, person_id, thread_root_id)
select room_id, unnest(user_id || mentions), thread_root_id from messages where thread_root_id is not null
union
select room_id, unnest(user_id || mentions), message_id from messages where reply_count > 0;

insert into participation_heads (room_id, recorded_id)
select room_id, last_message_id from room_heads where last_message_id is not null;
