"""The SQL of transcripts."""

# $4 the version that the change was made on, 0 for none, null for any. No row where it is another by now. The row of
# the head is locked by this, so that of two first ones only one makes version 1.
PUT = """
with head as (
    insert into transcript_heads as h (room_id, recording_id, version, published_at)
    select $1, $2, 1, $3
    where coalesce($4::int, 0) = 0
       or exists (select from transcript_heads where room_id = $1 and recording_id = $2)
    on conflict (room_id, recording_id) do update set version = h.version + 1, deleted_at = null
    where $4 is null or $4 = case when h.deleted_at is null then h.version else 0 end
    returning version
), unfound as (
    delete from transcript_search where room_id = $1 and recording_id = $2 and exists (select from head)
)
insert into transcript_versions (room_id, recording_id, version, language, origin, created_by, created_at,
                                 segment_count, segments)
select $1, $2, version, $5, $6, $7, $3, $8, $9 from head
returning version
"""

# Held while something is published about it: whatever deletes the recording comes before or after.
HOLD = """
select true from recordings where room_id = $1 and recording_id = $2 and deleted_at is null for share
"""

READ = """
select v.recording_id, v.room_id, v.version, v.language, v.origin, v.created_by, v.created_at, v.segment_count,
       v.segments
from transcript_heads h join transcript_versions v using (room_id, recording_id)
where h.room_id = $1 and h.recording_id = $2 and h.deleted_at is null and v.version = coalesce($3::int, h.version)
"""

VERSIONS = """
select v.version, v.language, v.origin, v.created_by, v.created_at, v.segment_count
from transcript_heads h join transcript_versions v using (room_id, recording_id)
where h.room_id = $1 and h.recording_id = $2 and h.deleted_at is null and v.version < $3
order by v.version desc limit $4
"""

DELETE = """
with gone as (
    update transcript_heads set deleted_at = $3
    where room_id = $1 and recording_id = $2 and deleted_at is null returning version
), unfound as (
    delete from transcript_search where room_id = $1 and recording_id = $2 and exists (select from gone)
)
delete from transcript_versions where room_id = $1 and recording_id = $2 and exists (select from gone)
"""

ASK = "select ask_for_transcription($1, $2, $3, $4, $5)"

TRANSCRIPTION = "select transcription_of($1, $2)"

# What a person has put stays: whatever is being transcribed meanwhile is given up.
GIVE_UP = """
update transcriptions set status = 'done', progress = 1, reason = $4, claim = null, ended_at = $3
where room_id = $1 and recording_id = $2 and status in ('waiting', 'running')
"""

CLAIM = """
update transcriptions t set status = 'running', progress = 0, claim = $3, due_at = $2, attempts = attempts + 1
from (select room_id, recording_id from transcriptions
      where status in ('waiting', 'running') and due_at <= $1
      order by due_at limit 1 for update skip locked) next
where t.room_id = next.room_id and t.recording_id = next.recording_id
returning t.room_id, t.recording_id, t.language, t.attempts, t.over_version
"""

SOURCE = """
select s.organization_id, r.name, r.object, r.size, r.duration_ms
from recordings r join rooms using (room_id) join spaces s using (space_id)
where r.room_id = $1 and r.recording_id = $2 and r.deleted_at is null and rooms.deleted_at is null
  and s.deleted_at is null
"""

KEEP = """
update transcriptions set due_at = $4, progress = greatest(progress, $5)
where room_id = $1 and recording_id = $2 and claim = $3 and status = 'running'
returning true
"""

AGAIN = """
update transcriptions set status = 'waiting', progress = 0, reason = $5, due_at = $4, claim = null, attempts = $6
where room_id = $1 and recording_id = $2 and claim = $3 and status = 'running'
"""

END = """
update transcriptions set status = $5, progress = 1, reason = $6, claim = null, ended_at = $4
where room_id = $1 and recording_id = $2 and claim = $3 and status = 'running'
returning true
"""

# A transcript whose newest version is not searched yet, or not in the present languages.
UNINDEXED = """
select h.room_id, h.recording_id, h.version, r.space_id, s.organization_id, v.created_at, v.segments, g.generation
from transcript_heads h join transcript_versions v using (room_id, recording_id, version)
join rooms r using (room_id) join spaces s using (space_id) cross join search_generation g
where h.deleted_at is null and (h.indexed_version <> h.version or h.indexed_generation <> g.generation)
limit 1 for update of h skip locked
"""

UNFIND = "delete from transcript_search where room_id = $1 and recording_id = $2"

FIND_BY = """
insert into transcript_search (room_id, recording_id, passage_id, start_ms, said, document)
select $1, $2, passage_id, start_ms, said, document::tsvector
from unnest($3::uuid[], $4::int[], $5::text[], $6::text[]) as given (passage_id, start_ms, said, document)
"""

INDEXED = """
update transcript_heads set indexed_version = $3, indexed_generation = $4 where room_id = $1 and recording_id = $2
"""
