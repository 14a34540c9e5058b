-- Return which database a snapshot is of. One that was restored elsewhere counts its transactions from the beginning,
-- so its old log says nothing there. Called by keep_live_events and for the ids of live events.
create or replace function live_identity() returns text
language sql stable as $$
    select left(md5(system_identifier || '/' || (select oid from pg_database where datname = current_database())), 8)
    from pg_control_system()
$$;
