-- Drop the partitions older than `keep` days, and create those of the coming days. Called often by the workers: a
-- partition that cannot be locked soon, or has rows in its place already, is left for the next time. A restore calls it
-- too. To drop a partition locks the table, to create one locks its default partition: in this order, as every other
-- statement locks them, so that none of them is in a deadlock with this one.
create or replace function keep_deliveries(now timestamptz, keep integer) returns void
language plpgsql as $$
declare
    day date;
    part text;
begin
    if not pg_try_advisory_xact_lock(4125872) then
        return;
    end if;
    perform set_config('lock_timeout', '500ms', true);
    for part in select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
                where i.inhparent = 'deliveries'::regclass and c.relname ~ '^deliveries_[0-9]{8}$'
                  and to_date(right(c.relname, 8), 'YYYYMMDD') < now::date - keep loop
        begin
            execute format('drop table %I', part);
        exception when lock_not_available then null;
        end;
    end loop;
    for day in select generate_series(now::date, now::date + 3, interval '1 day')::date loop
        part := 'deliveries_' || to_char(day, 'YYYYMMDD');
        if to_regclass(part) is null then
            begin
                execute format('create table %I (like deliveries including all)', part);
                execute format('alter table deliveries attach partition %I for values from (%L) to (%L)', part,
                    id_floor(extract(epoch from day)::bigint * 1000),
                    id_floor(extract(epoch from day + 1)::bigint * 1000));
            exception when lock_not_available or check_violation then null;
            end;
        end if;
    end loop;
    delete from deliveries_other where delivery_id < id_floor(extract(epoch from now::date - keep)::bigint * 1000);
    delete from due_deliveries where delivery_id < id_floor(extract(epoch from now::date - keep)::bigint * 1000);
end $$;
