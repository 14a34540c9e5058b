-- Note that messages of a room have changed (room_changes), so that cached pages are read again. Called by the trigger
-- on messages and by imports.
create or replace function note_change(room uuid) returns void
language sql as $$
    insert into room_changes (room_id, changed) values (room, extract(epoch from clock_timestamp()) * 1000000)
    on conflict (room_id) do update set changed = greatest(room_changes.changed + 1, excluded.changed)
$$;
