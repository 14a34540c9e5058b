-- When Atrium began to count the requests of keys that are older. Without a row, all keys are counted from their creation.
create table key_usage_start (
    one boolean primary key default true check (one),
    at timestamptz not null
);

-- Nothing recorded when `key_usage` was created. It was there at the end of the first day with a request.
insert into key_usage_start (at)
select least(now(), (select min(day) + 1 from key_usage)::timestamp at time zone 'UTC')
where exists (select from api_keys);
