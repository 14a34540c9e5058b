-- Return whether all consumers of the log have taken the events of a transaction. Called before events are removed, and
-- for backups.
create or replace function is_taken(of_event xid8) returns boolean
language sql stable
return not exists (select from live_positions where not pg_visible_in_snapshot(of_event, seen));
