-- Return the time in an id, in milliseconds since 1970.
create or replace function id_ms(id uuid) returns bigint
language sql immutable parallel safe
return ('x0000' || left(id::text, 8) || substr(id::text, 10, 4))::bit(64)::bigint;
