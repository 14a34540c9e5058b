"""The SQL of transcripts."""

# $4 is the version that the change is based on: 0 for none, null for any. Returns no row if the current version is
# another. Locks the head's row, so that of two concurrent first versions only one becomes version 1.
# Parameters: $1 room_id, $2 recording_id, $3 created_at, $4 the version that this replaces (0: none), or null for any,
# $5 language, $6 origin, $7 created_by, $8 segment_count, $9 segments
# Returns: version
PUT = """
with head as (
    insert into transcript_heads as h (room_id, recording_id, version, published_at)
    select $1, $2, 1, $3
    where coalesce($4::int, 0) = 0
       or exists (select from transcript_heads where room_id = $1 and recording_id = $2)
    on conflict (room_id, recording_id) do update set version = h.version + 1, deleted_at = null
    where $4 is null or $4 = case when h.deleted_at is null then h.version else 0 end
    returning version
), unindexed as (
    delete from transcript_search where room_id = $1 and recording_id = $2 and exists (select from head)
)
insert into transcript_versions (room_id, recording_id, version, language, origin, created_by, created_at,
                                 segment_count, segments)
select $1, $2, version, $5, $6, $7, $3, $8, $9 from head
returning version
"""

# Write an event of a room to the log.
# Parameters: $1 room_id, $2 kind, $3 data (JSON)
LOG_PUBLISHED = """
insert into live_events (kind, space_id, room_id, data) select $2, space_id, room_id, $3 from rooms where room_id = $1
"""

# Locks the recording while something about it is published, so that it is deleted before or after.
# Parameters: $1 room_id, $2 recording_id
# Returns: exists
LOCK = """
select true as exists from recordings where room_id = $1 and recording_id = $2 and deleted_at is null for share
"""

# Parameters: $1 room_id, $2 recording_id, $3 version
# Returns: recording_id, room_id, version, language, origin, created_by, created_at, segment_count, segments
READ = """
select v.recording_id, v.room_id, v.version, v.language, v.origin, v.created_by, v.created_at, v.segment_count,
       v.segments
from transcript_heads h join transcript_versions v using (room_id, recording_id)
where h.room_id = $1 and h.recording_id = $2 and h.deleted_at is null and v.version = coalesce($3::int, h.version)
"""

# Parameters: $1 room_id, $2 recording_id, $3 version, $4 limit
# Returns: version, language, origin, created_by, created_at, segment_count
VERSIONS = """
select v.version, v.language, v.origin, v.created_by, v.created_at, v.segment_count
from transcript_heads h join transcript_versions v using (room_id, recording_id)
where h.room_id = $1 and h.recording_id = $2 and h.deleted_at is null and v.version < $3
order by v.version desc limit $4
"""

# Parameters: $1 room_id, $2 recording_id, $3 deleted_at
DELETE = """
with deleted as (
    update transcript_heads set deleted_at = $3
    where room_id = $1 and recording_id = $2 and deleted_at is null returning version
), unindexed as (
    delete from transcript_search where room_id = $1 and recording_id = $2 and exists (select from deleted)
)
delete from transcript_versions where room_id = $1 and recording_id = $2 and exists (select from deleted)
"""

# Parameters: $1 room_id, $2 recording_id, $3 language or null, $4 actor_id, $5 now
# Returns: ask_for_transcription
REQUEST_TRANSCRIPTION = "select ask_for_transcription($1, $2, $3, $4, $5)"

# Parameters: $1 room_id, $2 recording_id
# Returns: transcription_of
TRANSCRIPTION = "select transcription_of($1, $2)"

# A person's transcript takes precedence: a transcription that is waiting or running is canceled.
# Parameters: $1 room_id, $2 recording_id, $3 ended_at, $4 reason
CANCEL = """
update transcriptions set status = 'done', progress = 1, reason = $4, claim = null, ended_at = $3
where room_id = $1 and recording_id = $2 and status in ('waiting', 'running')
"""

# Organizations take turns.
# Parameters: $1 now, $2 due_at of the claim, $3 claim, $4 organization_ids, the one served last at the end
# Returns: room_id, recording_id, language, attempts, over_version, organization_id
CLAIM = """
update transcriptions t set status = 'running', progress = 0, claim = $3, due_at = $2, attempts = attempts + 1
from (select due.room_id, due.recording_id, s.organization_id
      from transcriptions due join rooms r on r.room_id = due.room_id join spaces s using (space_id)
      where due.status in ('waiting', 'running') and due.due_at <= $1
      order by array_position($4::uuid[], s.organization_id) nulls first, due.due_at limit 1
      for update of due skip locked) next
where t.room_id = next.room_id and t.recording_id = next.recording_id
returning t.room_id, t.recording_id, t.language, t.attempts, t.over_version, next.organization_id
"""

# Parameters: $1 room_id, $2 recording_id
# Returns: organization_id, name, object, size, duration_ms
SOURCE = """
select s.organization_id, r.name, r.object, r.size, r.duration_ms
from recordings r join rooms using (room_id) join spaces s using (space_id)
where r.room_id = $1 and r.recording_id = $2 and r.deleted_at is null and rooms.deleted_at is null
  and s.deleted_at is null
"""

# Parameters: $1 room_id, $2 recording_id, $3 claim, $4 due_at, $5 progress (0 to 1)
# Returns: is_done
RENEW = """
update transcriptions set due_at = $4, progress = greatest(progress, $5)
where room_id = $1 and recording_id = $2 and claim = $3 and status = 'running'
returning true as is_done
"""

# Parameters: $1 room_id, $2 recording_id, $3 claim, $4 due_at, $5 reason, $6 attempts
RETRY = """
update transcriptions set status = 'waiting', progress = 0, reason = $5, due_at = $4, claim = null, attempts = $6
where room_id = $1 and recording_id = $2 and claim = $3 and status = 'running'
"""

# Parameters: $1 room_id, $2 recording_id, $3 claim, $4 ended_at, $5 status, $6 reason
# Returns: is_done
END = """
update transcriptions set status = $5, progress = 1, reason = $6, claim = null, ended_at = $4
where room_id = $1 and recording_id = $2 and claim = $3 and status = 'running'
returning true as is_done
"""

# A transcript whose newest version is not indexed yet, or not in the current search languages.
# Returns: room_id, recording_id, version, space_id, organization_id, created_at, segments, generation
NEXT_UNINDEXED = """
select h.room_id, h.recording_id, h.version, r.space_id, s.organization_id, v.created_at, v.segments, g.generation
from transcript_heads h join transcript_versions v using (room_id, recording_id, version)
join rooms r using (room_id) join spaces s using (space_id) cross join search_generation g
where h.deleted_at is null and (h.indexed_version <> h.version or h.indexed_generation <> g.generation)
limit 1 for update of h skip locked
"""

# Parameters: $1 room_id, $2 recording_id
REMOVE_FROM_INDEX = "delete from transcript_search where room_id = $1 and recording_id = $2"

# Parameters: $1 room_id, $2 recording_id, $3 to $6 arrays: passage_id, start_ms, said, document
ADD_TO_INDEX = """
insert into transcript_search (room_id, recording_id, passage_id, start_ms, said, document)
select $1, $2, passage_id, start_ms, said, document::tsvector
from unnest($3::uuid[], $4::int[], $5::text[], $6::text[]) as given (passage_id, start_ms, said, document)
"""

# Parameters: $1 room_id, $2 recording_id, $3 indexed_version, $4 indexed_generation
MARK_INDEXED = """
update transcript_heads set indexed_version = $3, indexed_generation = $4 where room_id = $1 and recording_id = $2
"""
