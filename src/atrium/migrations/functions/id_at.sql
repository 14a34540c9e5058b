-- Return a new UUIDv7 with the place `seq` in time: milliseconds * 4096 + a counter, as in room_heads. Called wherever
-- SQL makes an id: SEND, the audit log.
create or replace function id_at(seq bigint) returns uuid
language sql volatile parallel safe
return (lpad(to_hex(seq >> 12), 12, '0') || '7' || lpad(to_hex(seq & 4095), 3, '0')
        || right(replace(gen_random_uuid()::text, '-', ''), 16))::uuid;
