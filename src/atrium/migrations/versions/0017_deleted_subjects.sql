-- What waits for a room that was deleted, alone or with its space, ends as missed. Row by row, each by its key: a queue is
-- as good as empty whenever PostgreSQL makes a plan, and the log is not. The log's row comes first, as where attempts are
-- recorded; an attempt that is under way is recorded if it succeeds.
create function miss_deliveries(organization uuid, rooms uuid[]) returns void language plpgsql as $$
declare
    waiting record;
begin
    for waiting in
        select d.webhook_id, d.delivery_id from webhooks w join due_deliveries d using (webhook_id)
        where w.organization_id = organization
    loop
        update deliveries set status = 'DELIVERY_STATUS_MISSED', next_attempt_at = null
        where webhook_id = waiting.webhook_id and delivery_id = waiting.delivery_id and subject_type = 'room'
          and subject_id = any(rooms) and status in ('DELIVERY_STATUS_PENDING', 'DELIVERY_STATUS_RETRYING');
        if found then
            delete from due_deliveries where webhook_id = waiting.webhook_id and delivery_id = waiting.delivery_id;
        end if;
    end loop;
end $$;

create function miss_deliveries_of_room() returns trigger language plpgsql as $$
begin
    perform miss_deliveries(s.organization_id, array[new.room_id]) from spaces s where s.space_id = new.space_id;
    return null;
end $$;
create trigger miss_deliveries after update of deleted_at on rooms for each row
    when (old.deleted_at is null and new.deleted_at is not null) execute function miss_deliveries_of_room();

create function miss_deliveries_of_space() returns trigger language plpgsql as $$
begin
    perform miss_deliveries(new.organization_id, array(select room_id from rooms where space_id = new.space_id));
    return null;
end $$;
create trigger miss_deliveries after update of deleted_at on spaces for each row
    when (old.deleted_at is null and new.deleted_at is not null) execute function miss_deliveries_of_space();
