-- A room is a live event of its space.
create or replace function notify_of_room() returns trigger
language plpgsql as $$
begin
    insert into live_events (kind, space_id, room_id, data)
    values ('room.' || case when tg_op = 'INSERT' then 'created' when new.deleted_at is not null then 'deleted'
                            when new.archived_at is not null and old.archived_at is null then 'archived'
                            else 'updated' end,
            new.space_id, new.room_id,
            case when new.deleted_at is null then room_json(
                     new, (select organization_id from spaces where space_id = new.space_id),
                     (select last_message_id from room_heads where room_id = new.room_id))
                 else jsonb_build_object('room_id', new.room_id, 'space_id', new.space_id) end);
    return null;
end $$;

create or replace trigger notify_added after insert on rooms
    for each row execute function notify_of_room();
-- An import lowers `created_at` of a room that it adds older messages to: that is no event.
create or replace trigger notify_changed after update on rooms
    for each row when (to_jsonb(old) - 'created_at' is distinct from to_jsonb(new) - 'created_at')
    execute function notify_of_room();
