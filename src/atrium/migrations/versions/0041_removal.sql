-- The time up to which expired data is deleted. The worker moves it towards now by an hour at most each time, whatever the
-- clock shows (cleanup/actions.py). It has no row before the first time.
create table removal (
    one boolean primary key default true check (one),
    until timestamptz not null
);

-- As the other tables of one row: without a primary key, a table that is published for replication cannot be changed.
alter table packing add column one boolean primary key default true check (one);
