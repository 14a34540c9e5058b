-- Drop the partitions in which all is older than a day and taken, and create those of today and tomorrow. Called often by
-- the workers, as keep_deliveries is.
create or replace function keep_live_events(now timestamptz) returns void
language plpgsql as $$
declare
    day date;
    part text;
    is_needed boolean;
begin
    if not pg_try_advisory_xact_lock(4125874) then
        return;
    end if;
    perform set_config('lock_timeout', '500ms', true);
    for part in select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
                where i.inhparent = 'live_events'::regclass and c.relname ~ '^live_events_[0-9]{8}$'
                  and to_date(right(c.relname, 8), 'YYYYMMDD') < now::date - 1 loop
        begin
            execute format('select exists (select from %I where not is_taken(xid) and xid >= (
                                select min(pg_snapshot_xmin(seen)) from live_positions))', part) into is_needed;
            if not is_needed then
                execute format('drop table %I', part);
            end if;
        exception when lock_not_available then null;
        end;
    end loop;
    for day in select generate_series(now::date, now::date + 1, interval '1 day')::date loop
        part := 'live_events_' || to_char(day, 'YYYYMMDD');
        if to_regclass(part) is null then
            begin
                execute format('create table %I (like live_events including all)', part);
                execute format('alter table %I replica identity full', part);
                execute format('alter table live_events attach partition %I for values from (%L) to (%L)', part,
                    day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
            exception when lock_not_available or check_violation then null;
            end;
        end if;
    end loop;
    delete from live_events_other where at < now - interval '1 day' and is_taken(xid);
    delete from typing where at < now - interval '1 minute';
end $$;
