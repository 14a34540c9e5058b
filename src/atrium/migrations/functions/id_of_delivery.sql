-- Return the id of an event's delivery to a webhook: a UUIDv7 that is the same whenever the event is queued. A crash of the
-- database can lose that it was queued, after an attempt.
create or replace function id_of_delivery(at_ms bigint, event_seq bigint, webhook uuid) returns uuid
language sql immutable parallel safe
return (lpad(to_hex(at_ms), 12, '0') || '7' || lpad(to_hex(event_seq & 4095), 3, '0')
        || 'a' || left(md5(concat(event_seq, '/', webhook)), 15))::uuid;
