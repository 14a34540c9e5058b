-- A recording that is ready is an event for webhooks.
create or replace function queue_recording() returns trigger
language plpgsql as $$
begin
    perform queue_event('room_recording_ready', 'room', r.room_id, r.space_id, r.room_type, ms_of(new.ready_at),
                        jsonb_build_object('recording_id', new.recording_id, 'room_id', new.room_id,
                                           'user_id', new.created_by, 'created_at', json_time(new.created_at)::jsonb)::text)
    from rooms r where r.room_id = new.room_id and is_subscribed('room_recording_ready', r.room_id, r.space_id);
    return null;
end $$;

create or replace trigger queue_event after insert on recordings
    for each row execute function queue_recording();
