-- Return the least id of a millisecond, to compare ids with. Called for windows of history and for partitions.
create or replace function id_floor(ms bigint) returns uuid
language sql immutable parallel safe
return (lpad(to_hex(ms), 12, '0') || '70008000000000000000')::uuid;
