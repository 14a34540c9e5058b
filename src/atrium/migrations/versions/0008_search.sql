-- The words of messages, written behind the sends by the workers. A row goes in the transaction that deletes its message
-- and changes in the one that edits it; the room's row in `search_heads` is locked meanwhile, as it is by whoever indexes.

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

create function start_search_head() returns trigger language plpgsql as $$
begin
    insert into search_heads (room_id) values (new.room_id);
    return null;
end $$;
create trigger start_search_head after insert on room_heads for each row execute function start_search_head();
insert into search_heads (room_id) select room_id from room_heads;

-- The languages that the documents are written in; others make another generation of documents.
create table search_generation (
    generation integer not null,
    languages text[] not null
);
insert into search_generation values (1, '{}');

-- How far a person has read in a room, as he said; `head_id` is the newest message there was at that moment.
create table read_markers (
    room_id uuid not null,
    person_id uuid not null,
    message_id uuid not null,
    head_id uuid not null,
    moved_at timestamptz not null,
    primary key (room_id, person_id)
);
