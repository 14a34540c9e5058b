-- Without a primary key or a replica identity, rows of a table that is published for replication cannot be deleted.
alter table live_events replica identity full;
do $$
declare
    part regclass;
begin
    for part in select inhrelid from pg_inherits where inhparent = 'live_events'::regclass loop
        execute format('alter table %s replica identity full', part);
    end loop;
    execute replace(
        pg_get_functiondef('keep_live_events'::regproc), '(like live_events including all)'', part);',
        '(like live_events including all)'', part);
                execute format(''alter table %I replica identity full'', part);'
    );
end $$;
