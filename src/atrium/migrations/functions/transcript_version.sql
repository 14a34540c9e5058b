-- Return the version of a recording's transcript, 0 if it has none.
create or replace function transcript_version(room uuid, recording uuid) returns integer
language sql stable parallel safe
return coalesce((select version from transcript_heads
                 where room_id = room and recording_id = recording and deleted_at is null), 0);
