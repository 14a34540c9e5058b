-- A recording that is ready is an event for webhooks.
create or replace function log_recording() returns trigger
language plpgsql as $$
begin
    insert into live_events (kind, space_id, room_id, data)
    select 'room_recording_ready', r.space_id, r.room_id, jsonb_build_object(
        'recording_id', new.recording_id, 'room_id', new.room_id, 'user_id', new.created_by,
        'created_at', rfc3339(new.created_at))
    from rooms r where r.room_id = new.room_id;
    return null;
end $$;

create or replace trigger log_event after insert on recordings
    for each row execute function log_recording();
