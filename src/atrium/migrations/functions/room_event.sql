-- Return the body of an event of a room. Called by SEND.
create or replace function room_event(event_type text, room uuid, at_ms bigint, data text)
returns bytea language sql stable parallel safe as $$
    select event_body(event_type, 'room', room, at_ms, data)
$$;
