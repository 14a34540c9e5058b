-- Return a message as JSON, for the column `rendered` and for stored events that include a message. It calls no
-- function of ours: pg_dump and logical replication write rows with an empty search path.
create or replace function render_message(
    message_id uuid, room_id uuid, user_id uuid, sender_type actor_kind, parent_id uuid, thread_root_id uuid,
    text text, blocks jsonb, mentions uuid[], attachments jsonb, reactions jsonb, reply_count integer,
    last_reply_at timestamptz, sent_at timestamptz, edited_at timestamptz, deleted_at timestamptz
) returns text language plpgsql immutable parallel safe as $$
declare
    form constant text := '"\""YYYY-MM-DD"T"HH24:MI:SS.MS"Z\""';
    sent text := to_char(sent_at at time zone 'UTC', form);
begin
    return '{"message_id":"' || message_id || '","room_id":"' || room_id || '","user_id":"' || user_id
        || '","sender_type":"' || sender_type || '","parent_id":' || coalesce('"' || parent_id || '"', 'null')
        || ',"thread_root_id":' || coalesce('"' || thread_root_id || '"', 'null')
        || ',"status":' || case when deleted_at is null then '"SENT"' else '"DELETED"' end
        || ',"text":' || to_json(text) || ',"blocks":' || blocks || ',"mentions":' || array_to_json(mentions)
        || ',"attachments":' || attachments || ',"reactions":' || reactions || ',"reply_count":' || reply_count
        || ',"last_reply_at":' || coalesce(to_char(last_reply_at at time zone 'UTC', form), 'null')
        || ',"sent_at":' || sent || ',"created_at":' || sent
        || ',"edited_at":' || coalesce(to_char(edited_at at time zone 'UTC', form), 'null')
        || ',"deleted_at":' || coalesce(to_char(deleted_at at time zone 'UTC', form), 'null') || '}';
end $$;
