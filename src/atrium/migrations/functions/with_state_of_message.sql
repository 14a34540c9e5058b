-- Return the body of an event with another state of the message that it includes. Called when the message is deleted.
create or replace function with_state_of_message(body bytea, message text) returns bytea
language sql stable parallel safe
return substring(body for position(',"message":{"message_id":"'::bytea in body) - 1)
       || convert_to(concat(',"message":', message, '}}'), 'UTF8');
