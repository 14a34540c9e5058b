-- Queue a recording to be transcribed, unless it is queued already; return true if it was queued now. Called when a
-- recording is complete and when a transcription is requested.
create or replace function ask_for_transcription(room uuid, recording uuid, lang text, actor uuid, now timestamptz)
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
