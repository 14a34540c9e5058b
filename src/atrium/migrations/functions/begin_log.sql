-- Begin the log of a database that was restored from another one. What its consumers had not taken there happens here, in
-- this transaction; the rest is removed. Called before anything is written.
create or replace function begin_log() returns void
language plpgsql as $$
begin
    if (select identity from live_origin) is not distinct from live_identity() then
        return;
    end if;
    lock table live_origin in exclusive mode;
    if (select identity from live_origin) is not distinct from live_identity() then
        return;
    end if;
    delete from live_events where is_taken(xid);
    update live_events set xid = pg_current_xact_id();
    update live_positions set seen = default, until = null, last_seq = 0;
    delete from live_origin;
    insert into live_origin values (live_identity());
end $$;
