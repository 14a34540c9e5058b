-- Expired data is deleted up to this time, which the worker advances by an hour at most each time, whatever the clock
-- shows (cleanup/actions.py).
create table removal (
    one boolean primary key default true check (one),
    until timestamptz not null
);
insert into removal (until) values (now());
