-- Webhook events beside sent messages and transcripts. Each is queued in the transaction of its change: by a trigger on
-- what live streams are sent, and by triggers on memberships, recordings and the audit log.

create function event_body(event_type text, subject_type text, subject uuid, at_ms bigint, data text) returns bytea
language sql stable parallel safe
return convert_to(concat('{"event_type":"', event_type, '","subject":{"type":"', subject_type, '","id":"', subject,
                         '"},"timestamp":', json_time_of_ms(at_ms), ',"data":', data, '}'), 'UTF8');

create or replace function room_event(event_type text, room uuid, at_ms bigint, data text) returns bytea
language sql stable parallel safe
return event_body(event_type, 'room', room, at_ms, data);

create function subscription_type(event_type text) returns text
language sql immutable parallel safe
return concat('WEBHOOK_SUBSCRIPTION_TYPE_', upper(event_type));

-- Whether a webhook subscribes to an event of one of two subjects, for triggers that would read more otherwise.
create function is_subscribed(event_type text, one uuid, other uuid) returns boolean
language sql stable parallel safe
return exists (select from subscriptions s
               where s.subject_id = any(array[one, other]) and s.subscription_type = subscription_type(event_type));

-- Queue an event for the webhooks with a subscription to its subject, or to `wider`, such as the space of a room.
create function queue_event(event text, kind text, subject uuid, wider uuid, type_of_room text, at_ms bigint, data text,
                            message messages default null) returns void
language sql as $$
    with fanned as (
        insert into deliveries (webhook_id, delivery_id, event_type, subject_type, subject_id, body, status,
                                next_attempt_at, created_at)
        select s.webhook_id, id_at(at_ms << 12), event, kind, subject,
               event_body(event, kind, subject, at_ms, with_message(data, message.rendered, s.includes_message)),
               case when s.active then 'DELIVERY_STATUS_PENDING' else 'DELIVERY_STATUS_MISSED' end::delivery_status,
               case when s.active then time_of_ms(at_ms) end, time_of_ms(at_ms)
        from subscribers_to(subject, wider, subscription_type(event), type_of_room, message.user_id,
                            message.sender_type::text, message.thread_root_id is not null, message.mentions,
                            message.text) s
        returning webhook_id, delivery_id, next_attempt_at
    )
    insert into due_deliveries (webhook_id, delivery_id, due_at)
    select webhook_id, delivery_id, next_attempt_at from fanned where next_attempt_at is not null
$$;

create function ms_of(at timestamptz) returns bigint
language sql immutable parallel safe
return floor(extract(epoch from at) * 1000)::bigint;

create function queue_live_event() returns trigger
language plpgsql as $$
declare
    event text := replace(new.kind, '.', '_');
    room rooms;
    sent messages;
begin
    if not is_subscribed(event, new.room_id, new.space_id) then
        return null;
    end if;
    select * into room from rooms where room_id = new.room_id;
    select * into sent from messages where room_id = new.room_id and message_id = new.message_id;
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
            case when event = 'message_edited' then sent end);
    end if;
    return null;
end $$;

create trigger queue_event after insert on live_events for each row
when (new.kind in ('message.edited', 'message.deleted', 'reaction.added', 'reaction.removed', 'room.created',
                   'room.updated', 'room.archived', 'room.deleted', 'space_member.added', 'space_member.updated',
                   'space_member.removed'))
execute function queue_live_event();

-- Someone who waits to prove an address (`active_when_proven`) joins when they do.
create function queue_membership() returns trigger
language plpgsql as $$
declare
    member memberships := coalesce(new, old);
    event text := 'person_' || case when tg_op = 'DELETE' then 'removed' when tg_op = 'INSERT' then 'joined'
                                    when new.deactivated_at is not null then 'deactivated'
                                    when old.active_when_proven is not null then 'joined' else 'reactivated' end;
begin
    if is_subscribed(event, member.organization_id, null)
       and exists (select from people p where p.person_id = member.actor_id) then
        perform queue_event(event, 'organization', member.organization_id, null, null, ms_of(now()), jsonb_build_object(
            'organization_id', member.organization_id, 'person_id', member.actor_id, 'role', member.role)::text);
    end if;
    return null;
end $$;

create trigger queue_joined after insert on memberships for each row
when (new.deactivated_at is null) execute function queue_membership();
create trigger queue_changed after update on memberships for each row
when ((old.deactivated_at is null) <> (new.deactivated_at is null)) execute function queue_membership();
create trigger queue_removed after delete on memberships for each row
when (old.active_when_proven is null) execute function queue_membership();

create function queue_recording() returns trigger
language plpgsql as $$
begin
    perform queue_event('room_recording_ready', 'room', r.room_id, r.space_id, r.room_type, ms_of(new.ready_at),
                        jsonb_build_object('recording_id', new.recording_id, 'room_id', new.room_id,
                                           'user_id', new.created_by, 'created_at', json_time(new.created_at)::jsonb)::text)
    from rooms r where r.room_id = new.room_id and is_subscribed('room_recording_ready', r.room_id, r.space_id);
    return null;
end $$;

create trigger queue_event after insert on recordings for each row execute function queue_recording();

create function queue_audit_entry() returns trigger
language plpgsql as $$
begin
    if is_subscribed('audit_entry', new.organization_id, null) then
        perform queue_event('audit_entry', 'organization', new.organization_id, null, null, ms_of(new.at), jsonb_build_object(
            'entry_id', new.entry_id, 'at', json_time(new.at)::jsonb,
            'actor', jsonb_build_object('type', new.actor_kind, 'id', new.actor_id, 'name', new.actor_name),
            'action', new.action,
            'target', jsonb_build_object('type', new.target_kind, 'id', new.target_id, 'name', new.target_name),
            'before', new.before, 'after', new.after, 'api_key_id', new.api_key_id, 'address', new.address,
            'request_id', new.request_id)::text);
    end if;
    return null;
end $$;

create trigger queue_event after insert on audit_entries for each row execute function queue_audit_entry();
