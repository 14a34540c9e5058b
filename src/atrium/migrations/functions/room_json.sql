-- Return a room as the API and its events show it.
create or replace function room_json(room rooms) returns jsonb
language sql stable as $$
    select jsonb_build_object(
        'room_id', room.room_id, 'space_id', room.space_id,
        'organization_id', (select organization_id from spaces where space_id = room.space_id),
        'name', room.name, 'description', room.description, 'room_type', room.room_type,
        'created_at', json_time(room.created_at)::jsonb, 'created_by', room.created_by,
        'archived_at', json_time(room.archived_at)::jsonb,
        'last_message_at', (select json_time_of_ms(id_ms(last_message_id))::jsonb from room_heads
                            where room_id = room.room_id))
$$;
