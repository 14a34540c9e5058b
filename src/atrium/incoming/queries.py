"""The SQL of incoming webhooks. Each is a key that works only in its URL, and the room that it posts to."""

# Parameters: $1 incoming_webhook_id, $2 room_id
ADD = "insert into incoming_webhooks (incoming_webhook_id, room_id) values ($1, $2)"

# Parameters: $1 room_id, $2 the last id before the page, $3 limit
# Returns: incoming_webhook_id, room_id, name, integration_id, last_four, created_by, created_at, last_used_at
LIST = """
select w.incoming_webhook_id, w.room_id, k.name, k.actor_id as integration_id, k.last_four, k.created_by, k.created_at,
       k.last_used_at
from incoming_webhooks w join api_keys k on k.api_key_id = w.incoming_webhook_id
where w.room_id = $1 and k.revoked_at is null and w.incoming_webhook_id > $2
order by w.incoming_webhook_id limit $3
"""

# Parameters: $1 room_id, $2 incoming_webhook_id
# Returns: incoming_webhook_id, room_id, name, integration_id, last_four, created_by, created_at, last_used_at
READ = """
select w.incoming_webhook_id, w.room_id, k.name, k.actor_id as integration_id, k.last_four, k.created_by, k.created_at,
       k.last_used_at
from incoming_webhooks w join api_keys k on k.api_key_id = w.incoming_webhook_id
where w.room_id = $1 and w.incoming_webhook_id = $2 and k.revoked_at is null
"""

# Parameters: $1 key_hash
# Returns: incoming_webhook_id, room_id
READ_BY_HASH = """
select w.incoming_webhook_id, w.room_id
from incoming_webhooks w join api_keys k on k.api_key_id = w.incoming_webhook_id
where k.key_hash = $1 and k.revoked_at is null
"""

# Remove the incoming webhooks of deleted rooms: revoke their keys, and withdraw the roles of their integrations, whose
# descriptions name the rooms.
# Parameters: $1 room_ids, $2 now
PURGE = """
with gone as (
    delete from incoming_webhooks where room_id = any($1::uuid[]) returning incoming_webhook_id
), revoked as (
    update api_keys set revoked_at = coalesce(revoked_at, $2) from gone where api_key_id = incoming_webhook_id
    returning actor_id
), withdrawn as (
    delete from space_grants where actor_id in (select actor_id from revoked)
)
update integrations set description = 'Incoming webhook of a deleted room'
where integration_id in (select actor_id from revoked)
"""
