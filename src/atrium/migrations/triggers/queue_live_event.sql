-- Live events that webhooks subscribe to are queued for them. The event of a sent message is queued by SEND.
create or replace function queue_live_event() returns trigger
language plpgsql as $$
declare
    event text := replace(new.kind, '.', '_');
    room rooms;
    sent record;
begin
    if not is_subscribed(event, new.room_id, new.space_id) then
        return null;
    end if;
    select * into room from rooms where room_id = new.room_id;
    select message_id, room_id, user_id, sent_at, edited_at, deleted_at into sent from messages
    where room_id = new.room_id and message_id = new.message_id;
    if new.room_id is null then
        perform queue_event(event, 'space', new.space_id, new.space_id, null, ms_of(new.at), new.data::text);
    else
        perform queue_event(event, 'room', new.room_id, new.space_id, room.room_type, ms_of(new.at), (case
            when sent.message_id is null then jsonb_build_object(
                'room_id', room.room_id, 'space_id', room.space_id, 'name', room.name, 'room_type', room.room_type)
            when new.data is not null then jsonb_build_object(
                'message_id', sent.message_id, 'room_id', sent.room_id) || new.data
            else jsonb_build_object(
                'message_id', sent.message_id, 'room_id', sent.room_id, 'user_id', sent.user_id,
                'status', case when sent.deleted_at is null then 'SENT' else 'DELETED' end,
                'created_at', json_time(sent.sent_at)::jsonb,
                case when sent.deleted_at is null then 'edited_at' else 'deleted_at' end,
                json_time(coalesce(sent.deleted_at, sent.edited_at))::jsonb) end)::text,
            case when event = 'message_edited' then sent.message_id end, new.words_found);
    end if;
    return null;
end $$;

create or replace trigger queue_event after insert on live_events
    for each row when (new.kind in (
        'message.edited', 'message.deleted', 'reaction.added', 'reaction.removed', 'room.created', 'room.updated',
        'room.archived', 'room.deleted', 'space_member.added', 'space_member.updated', 'space_member.removed'))
    execute function queue_live_event();
