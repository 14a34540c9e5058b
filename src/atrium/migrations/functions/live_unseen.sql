-- Return the live events that the snapshot `upto` sees and `seen` does not: those in flight at `seen`, and those begun
-- since. Called by the loop of each process that sends live events.
create or replace function live_unseen(seen pg_snapshot, upto pg_snapshot) returns setof live_events
language sql stable parallel safe as $$
    select e.* from live_events e
    where e.xid >= pg_snapshot_xmax(seen) and e.xid < pg_snapshot_xmax(upto) and pg_visible_in_snapshot(e.xid, upto)
    union all
    select e.* from live_events e
    where e.xid = any(array(select pg_snapshot_xip(seen))) and pg_visible_in_snapshot(e.xid, upto)
$$;
