-- Return the data of an event, with the message if a subscription includes it. Called by QUEUE.
create or replace function with_message(data text, message text, is_included boolean) returns text
language sql immutable parallel safe
return case when is_included then concat(left(data, -1), ',"message":', message, '}') else data end;
