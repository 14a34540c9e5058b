-- The message that an event includes comes last in its body, after a few short fields (with_message). Within JSON strings
-- quotation marks are escaped, so no text looks like its beginning.
create function included_message(body bytea) returns uuid language sql immutable parallel safe
return encode(substring(
    body from nullif(position(',"message":{"message_id":"'::bytea in substring(body for 1024)), 0) + 26 for 36), 'escape')::uuid;

-- The body of an event with another state of the message that it includes.
create function with_state_of_message(body bytea, message text) returns bytea language sql stable parallel safe
return substring(body for position(',"message":{"message_id":"'::bytea in body) - 1)
       || convert_to(concat(',"message":', message, '}}'), 'UTF8');

-- The worker removes them soon.
create index recordings_deleted on recordings (deleted_at) where deleted_at is not null;

-- The head of a transcript goes with its recording: first, because whoever indexes the transcript has locked it.
create or replace function forget_transcript() returns trigger language plpgsql as $$
begin
    delete from transcript_heads where room_id = old.room_id and recording_id = old.recording_id;
    delete from transcriptions where room_id = old.room_id and recording_id = old.recording_id;
    delete from transcript_versions where room_id = old.room_id and recording_id = old.recording_id;
    delete from transcript_search where room_id = old.room_id and recording_id = old.recording_id;
    return null;
end $$;

-- Nobody loses a role in a space that was deleted before.
create or replace function tell_of_grant() returns trigger language plpgsql as $$
declare
    held space_grants := coalesce(new, old);
begin
    if not exists (select from spaces s where s.space_id = held.space_id and s.deleted_at is null) then
        return null;
    end if;
    perform emit_access(held.actor_id, (select s.organization_id from spaces s where s.space_id = held.space_id));
    insert into live_events (kind, space_id, data)
    values ('space_member.' || case tg_op when 'INSERT' then 'added' when 'DELETE' then 'removed' else 'updated' end,
            held.space_id, jsonb_build_object('space_id', held.space_id, 'actor_id', held.actor_id,
                'granted', case when tg_op <> 'DELETE' then held.role end));
    return null;
end $$;

-- The stored events that include a message, which are emptied when it is deleted.
create index deliveries_with_message on deliveries (included_message(body)) where included_message(body) is not null;
