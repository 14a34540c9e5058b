-- A key whose token stands in a URL, and the one room that the URL posts to. Its token has a prefix that no Authorization
-- header is taken with, so it opens nothing else.
create table incoming_webhooks (
    incoming_webhook_id uuid primary key references api_keys,
    room_id uuid not null
);
create index incoming_webhooks_by_room on incoming_webhooks (room_id, incoming_webhook_id);
