-- Return a time in milliseconds since 1970, rounded down.
create or replace function ms_of(at timestamptz) returns bigint
language sql immutable parallel safe
return floor(extract(epoch from at) * 1000)::bigint;
