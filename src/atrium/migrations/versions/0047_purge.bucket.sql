-- The stored events that include a message, which are emptied when it is deleted.
create index deliveries_with_message on deliveries (included_message(body)) where included_message(body) is not null;
