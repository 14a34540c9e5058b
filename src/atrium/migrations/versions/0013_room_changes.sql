-- When messages of a room were last changed that were there already, or older ones came in by an import: a number that only
-- grows, microseconds since 1970, so that it does not come again either where a database goes back to an earlier state.
-- With the number in room_heads, which every send moves, it tells whether a page read before still holds. A table of its
-- own, locked last: an edit that took the head after its message would meet a reply that takes the root after the head.
create table room_changes (
    room_id uuid primary key,
    changed bigint not null
) with (fillfactor = 50);

create function note_change(room uuid) returns void language sql as $$
    insert into room_changes (room_id, changed) values (room, extract(epoch from clock_timestamp()) * 1000000)
    on conflict (room_id) do update set changed = greatest(room_changes.changed + 1, excluded.changed)
$$;

create function note_change_of_message() returns trigger language plpgsql as $$
begin
    perform note_change(new.room_id);
    return null;
end $$;

-- All columns that are rendered, but those that a send sets in the root of its thread. At the end of the transaction,
-- because an import changes further messages after these.
create constraint trigger message_changed after update of user_id, sender_type, parent_id, thread_root_id, text, blocks,
    mentions, attachments, reactions, sent_at, edited_at, deleted_at on messages
deferrable initially deferred for each row execute function note_change_of_message();
