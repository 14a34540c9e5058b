-- Create the partitions of today and tomorrow, and drop those in which all is older than a day. Called often by the
-- workers, as keep_deliveries is. The log of another database, such as one that a restore was copied from, is emptied.
create or replace function keep_live_events(now timestamptz) returns void
language plpgsql as $$
declare
    day date;
    part text;
begin
    if not pg_try_advisory_xact_lock(4125874) then
        return;
    end if;
    perform set_config('lock_timeout', '500ms', true);
    if (select identity from live_origin) is distinct from live_identity() then
        delete from live_events;
        delete from live_origin;
        insert into live_origin values (live_identity());
    end if;
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
    for part in select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
                where i.inhparent = 'live_events'::regclass and c.relname ~ '^live_events_[0-9]{8}$'
                  and to_date(right(c.relname, 8), 'YYYYMMDD') < now::date - 1 loop
        begin
            execute format('drop table %I', part);
        exception when lock_not_available then null;
        end;
    end loop;
    delete from live_events_other where at < now - interval '1 day';
    delete from typing where at < now - interval '1 minute';
end $$;
