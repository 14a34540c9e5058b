-- What was said goes with the recording. The head first, because indexing locks it first.
create or replace function forget_transcript() returns trigger
language plpgsql as $$
begin
    delete from transcript_heads where room_id = old.room_id and recording_id = old.recording_id;
    delete from transcriptions where room_id = old.room_id and recording_id = old.recording_id;
    delete from transcript_versions where room_id = old.room_id and recording_id = old.recording_id;
    delete from transcript_search where room_id = old.room_id and recording_id = old.recording_id;
    return null;
end $$;

create or replace trigger forget_transcript after update of deleted_at on recordings
    for each row when (new.deleted_at is not null) execute function forget_transcript();
create or replace trigger forget_transcript_too after delete on recordings
    for each row execute function forget_transcript();
