-- As the other tables of one row: without a primary key, a table that is published for replication cannot be changed.
alter table packing add column one boolean primary key default true check (one);
