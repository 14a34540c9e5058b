"""The SQL of recordings."""

# Parameters: $1 room_id, $2 recording_id, $3 name, $4 media_type, $5 size (bytes), $6 created_by, $7 ready_at
ADD = """
insert into recordings (room_id, recording_id, name, media_type, size, object, created_by, created_at, ready_at)
values ($1, $2, $3, $4, $5, $2, $6, time_of_ms(id_ms($2)), $7)
"""

# Queue a recording for transcription.
# Parameters: $1 room_id, $2 recording_id, $3 now
# Returns: ask_for_transcription (whether it was queued)
TRANSCRIBE = "select ask_for_transcription($1, $2, null, null, $3)"

# A recording, if the actor has a role in the space of its room.
# Parameters: $1 recording_id, $2 actor_id, $3 actor's kind
# Returns: recording_id, room_id, name, media_type, size, duration_ms, created_by, created_at, transcript_version,
# transcription (JSON), ready, object, space_id, organization_id, role
REACH = """
select rec.recording_id, rec.room_id, rec.name, rec.media_type, rec.size, rec.duration_ms, rec.created_by,
       rec.created_at, nullif(transcript_version(rec.room_id, rec.recording_id), 0) as transcript_version,
       transcription_of(rec.room_id, rec.recording_id) as transcription, rec.ready_at as ready, rec.object,
       r.space_id, access.organization_id, access.role
from recordings rec join rooms r using (room_id) join lateral role_in($2, $3, r.space_id) access on true
where rec.recording_id = $1 and rec.deleted_at is null and r.deleted_at is null
"""

# Parameters: $1 room_id, $2 the last recording_id before the page, $3 limit
# Returns: recording_id, room_id, name, media_type, size, duration_ms, created_by, created_at, transcript_version,
# transcription (JSON)
RECORDINGS = """
select recording_id, room_id, name, media_type, size, duration_ms, created_by, created_at,
       nullif(transcript_version(room_id, recording_id), 0) as transcript_version,
       transcription_of(room_id, recording_id) as transcription
from recordings
where room_id = $1 and deleted_at is null and recording_id > $2
order by recording_id limit $3
"""

# Parameters: $1 room_id, $2 recording_id, $3 name
RENAME = "update recordings set name = $3 where room_id = $1 and recording_id = $2"

# Parameters: $1 room_id, $2 recording_id, $3 deleted_at
DELETE = "update recordings set deleted_at = $3 where room_id = $1 and recording_id = $2 and deleted_at is null"

# Remove some recordings of deleted rooms, with their transcripts (a trigger) and their media.
# Parameters: $1 room_ids, $2 now
PURGE = """
with deleted as (
    delete from recordings where (room_id, recording_id) in (
        select room_id, recording_id from recordings where room_id = any($1::uuid[]) limit 1000)
    returning object
)
insert into dropped_objects (object, dropped_at) select object, $2 from deleted
on conflict do nothing
"""

# Remove recordings that were deleted, whose media was dropped then.
# Parameters: $1 now
REMOVE_DELETED = "delete from recordings where deleted_at < $1"
