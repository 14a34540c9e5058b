-- Return the state of a recording's transcription as JSON, as the room sees it; null if there was none.
create or replace function transcription_of(room uuid, recording uuid) returns text
language sql stable parallel safe
return (select concat('{"status":', to_json(status), ',"progress":', round(progress::numeric, 3), ',"reason":',
                      coalesce(to_json(reason)::text, 'null'), '}')
        from transcriptions where room_id = room and recording_id = recording);
