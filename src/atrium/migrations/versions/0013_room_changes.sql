-- How often messages of a room were changed that were there already, and how often older ones came in by an import. With
-- the number in room_heads, which every send moves, it tells whether a page read before still holds. A table of its own,
-- locked last: an edit that took the head after its message would meet a reply that takes the root after the head.
create table room_changes (
    room_id uuid primary key,
    changes bigint not null
) with (fillfactor = 50);

create function count_change() returns trigger language plpgsql as $$
begin
    insert into room_changes (room_id, changes) values (new.room_id, 1)
    on conflict (room_id) do update set changes = room_changes.changes + 1;
    return null;
end $$;

-- All columns that are rendered, but those that a send sets in the root of its thread.
create trigger message_changed after update of user_id, sender_type, parent_id, thread_root_id, text, blocks, mentions,
    attachments, reactions, sent_at, edited_at, deleted_at on messages
for each row execute function count_change();
