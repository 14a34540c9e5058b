-- A room is a live event of its space.
create or replace function notify_of_room() returns trigger
language plpgsql as $$
begin
    insert into live_events (kind, space_id, room_id, data)
    values ('room.' || case when tg_op = 'INSERT' then 'created' when new.deleted_at is not null then 'deleted'
                            when new.archived_at is not null and old.archived_at is null then 'archived'
                            else 'updated' end,
            new.space_id, new.room_id,
            jsonb_build_object('room_id', new.room_id, 'space_id', new.space_id) || case
                when new.deleted_at is not null then '{}' else jsonb_build_object(
                'organization_id', (select s.organization_id from spaces s where s.space_id = new.space_id),
                'name', new.name, 'description', new.description, 'room_type', new.room_type,
                'created_at', json_time(new.created_at)::jsonb, 'created_by', new.created_by,
                'archived_at', json_time(new.archived_at)::jsonb,
                'last_message_at', json_time((select time_of_ms(id_ms(h.last_message_id)) from room_heads h
                                              where h.room_id = new.room_id))::jsonb) end);
    return null;
end $$;

create or replace trigger notify_added after insert on rooms
    for each row execute function notify_of_room();
create or replace trigger notify_changed after update on rooms
    for each row when ((old.name, old.description, old.archived_at, old.deleted_at)
                       is distinct from (new.name, new.description, new.archived_at, new.deleted_at))
    execute function notify_of_room();
