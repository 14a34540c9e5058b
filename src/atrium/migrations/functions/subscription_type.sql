-- Return the type of the subscriptions to an event.
create or replace function subscription_type(event_type text) returns text
language sql immutable parallel safe
return concat('WEBHOOK_SUBSCRIPTION_TYPE_', upper(event_type));
