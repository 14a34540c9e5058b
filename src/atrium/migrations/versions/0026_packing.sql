-- A chore of the worker writes older messages again, in the order of their rooms (messages/packing.py). It does so by an
-- update of this column, which nothing reads: no trigger names it, and neither do `rendered` and the indexes.
alter table messages add column packed boolean;

-- The messages before `until` (milliseconds since 1970, the time in their ids) have been moved. One row.
create table packing (until bigint not null);
insert into packing (until) values (0);
