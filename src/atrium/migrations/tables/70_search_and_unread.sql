-- The search index of messages, and what people have read.

-- The words of messages, written by the workers shortly after the sends. A row is deleted in the transaction that
-- deletes its message and changes in the one that edits it; both lock the room's row in `search_heads`, as indexing
-- does.
create table message_search (
    room_id uuid not null,
    message_id uuid not null,
    user_id uuid not null,
    generation integer not null,
    document tsvector not null,
    primary key (room_id, message_id)
);
create index message_search_by_word on message_search using gin (document) with (fastupdate = off);

-- How far each room is indexed. The workers look for rooms whose head is ahead of it.
create table search_heads (
    room_id uuid primary key,
    indexed_id uuid not null default '00000000-0000-0000-0000-000000000000'
);

-- The languages of the documents, and the version of the rules by which their words were folded. If either changes, the
-- worker writes another generation of documents. Without a primary key, a table that is published for replication
-- cannot be changed unless it has a replica identity. One row.
create table search_generation (
    generation integer not null,
    languages text[] not null,
    folding integer not null default 1
);
alter table search_generation replica identity full;
insert into search_generation (generation, languages) values (1, '{}');

-- How far a person has read in a room; `head_id` is the newest message of the room when they set the marker.
create table read_markers (
    room_id uuid not null,
    person_id uuid not null,
    message_id uuid not null,
    head_id uuid not null,
    moved_at timestamptz not null,
    primary key (room_id, person_id)
);

-- A reply is unread for the people who take part in its thread, until they read the thread. How far a person has read
-- in a thread; `head_id` is the newest message of the room when they set the marker.
create table thread_markers (
    room_id uuid not null,
    person_id uuid not null,
    thread_root_id uuid not null,
    message_id uuid not null,
    head_id uuid not null,
    moved_at timestamptz not null,
    primary key (room_id, person_id, thread_root_id)
);

-- Who wrote or was mentioned in a thread, and every mention. A chore of the worker adds new ones, up to the message in
-- `participation_heads`; statements read the messages after that themselves. Rows are candidates: they stay when a
-- mention is edited or deleted, and statements check the messages that they name.
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
