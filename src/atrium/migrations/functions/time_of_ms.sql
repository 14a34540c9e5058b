-- Return the time of milliseconds since 1970.
create or replace function time_of_ms(ms bigint) returns timestamptz
language sql immutable parallel safe
return timestamptz 'epoch' + ms * interval '1 millisecond';
