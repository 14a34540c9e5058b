"""The SQL of incoming webhooks. Each is a key that no Authorization header is taken for, and the room it posts to."""

ADD = "insert into incoming_webhooks (incoming_webhook_id, room_id) values ($1, $2)"

LISTED = """
select w.incoming_webhook_id, w.room_id, k.name, k.actor_id as integration_id, k.last_four, k.created_by, k.created_at,
       k.last_used_at
from incoming_webhooks w join api_keys k on k.api_key_id = w.incoming_webhook_id
where w.room_id = $1 and k.revoked_at is null and w.incoming_webhook_id > $2
order by w.incoming_webhook_id limit $3
"""

ONE = """
select w.incoming_webhook_id, w.room_id, k.name, k.actor_id as integration_id, k.last_four, k.created_by, k.created_at,
       k.last_used_at
from incoming_webhooks w join api_keys k on k.api_key_id = w.incoming_webhook_id
where w.room_id = $1 and w.incoming_webhook_id = $2 and k.revoked_at is null
"""

OF_URL = """
select w.incoming_webhook_id, w.room_id
from incoming_webhooks w join api_keys k on k.api_key_id = w.incoming_webhook_id
where k.key_hash = $1 and k.revoked_at is null
"""
