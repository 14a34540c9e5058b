-- End the deliveries that wait for rooms of an organization as missed. Row by row, each by its key: the queue is almost
-- empty whenever PostgreSQL makes a plan, and the log is not. The log's row comes first, as where attempts are
-- recorded; an attempt that is under way is recorded if it succeeds. No event is queued meanwhile, and afterwards those of
-- the rooms are missed. Called when a room is deleted, alone or with its space.
create or replace function miss_deliveries(organization uuid, rooms uuid[]) returns void
language plpgsql as $$
declare
    waiting record;
begin
    perform from live_positions order by consumer for update;
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
