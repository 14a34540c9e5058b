-- Return the id of the message that the body of an event includes, null if it includes none. The message comes last in
-- the body, after a few short fields (with_message). Within JSON strings quotation marks are escaped, so no text looks
-- like its beginning. Called by the index deliveries_with_message and by those who read it: it must call no function of
-- ours, because pg_dump restores with an empty search path.
create or replace function included_message(body bytea) returns uuid
language sql immutable parallel safe
return encode(substring(
    body from nullif(position(',"message":{"message_id":"'::bytea in substring(body for 1024)), 0) + 26 for 36),
    'escape')::uuid;
