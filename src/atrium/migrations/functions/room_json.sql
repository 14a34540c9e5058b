-- Return a room as the API and its events show it. A statement that has a subquery here would not be inlined, so what is
-- not in the table is a parameter.
create or replace function room_json(room rooms, organization uuid, last_message uuid) returns jsonb
language sql stable parallel safe as $$
    select jsonb_build_object(
        'room_id', room.room_id, 'space_id', room.space_id, 'organization_id', organization, 'name', room.name,
        'description', room.description, 'room_type', room.room_type, 'created_at', rfc3339(room.created_at),
        'created_by', room.created_by, 'archived_at', rfc3339(room.archived_at),
        'last_message_at', rfc3339(time_of_ms(id_ms(last_message))))
$$;
