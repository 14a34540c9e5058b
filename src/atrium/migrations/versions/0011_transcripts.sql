-- Which version a recording's transcript is at. The row outlives a deleted transcript: versions go on from where they
-- were, and what was published once is never published first again.
create table transcript_heads (
    room_id uuid not null,
    recording_id uuid not null,
    version integer not null,
    published_at timestamptz not null,
    deleted_at timestamptz,
    indexed_version integer not null default 0,
    indexed_generation integer not null default 0,
    primary key (room_id, recording_id)
);

-- Every version, whole. `segments` is text that is answered as it is.
create table transcript_versions (
    room_id uuid not null,
    recording_id uuid not null,
    version integer not null,
    language text,
    origin text not null,
    created_by uuid,
    created_at timestamptz not null,
    segment_count integer not null,
    segments text not null,
    primary key (room_id, recording_id, version)
);

-- The words of the newest version, a few sentences a row, written behind it by the workers. They go in the transaction
-- that corrects or deletes the transcript.
create table transcript_search (
    room_id uuid not null,
    recording_id uuid not null,
    passage_id uuid not null,
    start_ms integer not null,
    said text not null,
    document tsvector not null,
    primary key (room_id, recording_id, passage_id)
);
create index transcript_search_by_word on transcript_search using gin (document) with (fastupdate = off);

-- The work of transcribing, a row a recording. A claim moves `due_at` to the end of its lease, which is drawn out while
-- the work goes on: where the worker dies, it is simply due again. `claim` tells a worker whether the work is still his.
create table transcriptions (
    room_id uuid not null,
    recording_id uuid not null,
    status text not null,
    progress real not null default 0,
    reason text,
    language text,
    attempts smallint not null default 0,
    due_at timestamptz not null,
    claim uuid,
    asked_by uuid,
    asked_at timestamptz not null,
    over_version integer not null,
    ended_at timestamptz,
    primary key (room_id, recording_id)
);
create index transcriptions_due on transcriptions (due_at) where status in ('waiting', 'running');

-- The version that a recording's transcript is at, 0 where it has none.
create function transcript_version(room uuid, recording uuid) returns integer language sql stable parallel safe
return coalesce((select version from transcript_heads
                 where room_id = room and recording_id = recording and deleted_at is null), 0);

-- Put a recording in line to be transcribed, unless it is already; whether it was put there.
create function ask_for_transcription(room uuid, recording uuid, lang text, actor uuid, now timestamptz)
returns boolean language sql as $$
    insert into transcriptions as t (room_id, recording_id, status, language, due_at, asked_by, asked_at, over_version)
    values (room, recording, 'waiting', lang, now, actor, now, transcript_version(room, recording))
    on conflict (room_id, recording_id) do update
    set status = 'waiting', progress = 0, reason = null, language = excluded.language, attempts = 0,
        due_at = excluded.due_at, claim = null, asked_by = excluded.asked_by, asked_at = excluded.asked_at,
        over_version = excluded.over_version, ended_at = null
    where t.status not in ('waiting', 'running')
    returning true
$$;

-- How a recording's transcription goes, as the room sees it; null where none was asked for.
create function transcription_of(room uuid, recording uuid) returns text language sql stable parallel safe
return (select concat('{"status":', to_json(status), ',"progress":', round(progress::numeric, 3), ',"reason":',
                      coalesce(to_json(reason)::text, 'null'), '}')
        from transcriptions where room_id = room and recording_id = recording);

-- What was said goes with the recording.
create function forget_transcript() returns trigger language plpgsql as $$
begin
    delete from transcriptions where room_id = old.room_id and recording_id = old.recording_id;
    delete from transcript_versions where room_id = old.room_id and recording_id = old.recording_id;
    delete from transcript_search where room_id = old.room_id and recording_id = old.recording_id;
    update transcript_heads set deleted_at = coalesce(deleted_at, now())
    where room_id = old.room_id and recording_id = old.recording_id;
    return null;
end $$;
create trigger forget_transcript after update of deleted_at on recordings
    for each row when (new.deleted_at is not null) execute function forget_transcript();
create trigger forget_transcript_too after delete on recordings
    for each row execute function forget_transcript();
