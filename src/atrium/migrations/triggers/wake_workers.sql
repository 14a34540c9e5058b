-- New events and deliveries wake the workers. A worker that holds this lock polls the queue all the time. To notify it would be
-- expensive: of all transactions that notify, one at a time can commit, and the next one waits until the disk has it.
create or replace function wake_workers() returns trigger
language plpgsql as $$
begin
    if exists (select from fresh) and pg_try_advisory_xact_lock_shared(4125877) then
        perform pg_notify('deliveries', '');
    end if;
    return null;
end $$;

create or replace trigger wake_workers after insert on live_events
    referencing new table as fresh for each statement execute function wake_workers();
create or replace trigger wake_workers after insert on due_deliveries
    referencing new table as fresh for each statement execute function wake_workers();
