-- Requests with each key by day (UTC) and route. `scopes` are what the requests needed: none where every key suffices,
-- '*' where a key with scopes never does. Updates change no indexed column, and the pages have space for them.
create table key_usage (
    api_key_id uuid not null,
    day date not null,
    method text not null,
    route text not null,
    scopes text[] not null,
    requests bigint not null,
    forbidden bigint not null,
    limited bigint not null,
    primary key (api_key_id, day, method, route, scopes)
) with (fillfactor = 70);
create index key_usage_by_day on key_usage (day);

-- Where each key was used last.
create table key_addresses (
    api_key_id uuid not null,
    address inet not null,
    last_seen_at timestamptz not null,
    primary key (api_key_id, address)
) with (fillfactor = 70);
