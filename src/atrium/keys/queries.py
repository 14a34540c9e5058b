"""The SQL of keys."""

ADD = """
insert into api_keys (api_key_id, actor_id, name, key_hash, last_four, created_by, created_at, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, $8)
"""

REPLACE = """
update api_keys set key_hash = $2, last_four = $3, expires_at = $4
where api_key_id = $1 and revoked_at is null
"""

REVOKE = "update api_keys set revoked_at = $2 where api_key_id = $1 and revoked_at is null"

SET_EXPIRY = "update api_keys set expires_at = $2 where api_key_id = $1 and revoked_at is null"

EXPIRY_OF_KEY = "select expires_at from api_keys where api_key_id = $1 and not is_session"

ACTOR_OF_KEY = """
select actor_id from api_keys
where key_hash = $1 and revoked_at is null and (expires_at is null or expires_at > $2)
"""

LOCK_PERSON = "select from people where person_id = $1 for update"

COUNT_PERSONAL_KEYS = "select count(*) from api_keys where actor_id = $1 and revoked_at is null and not is_session"

REVOKE_PERSONAL_KEYS = """
update api_keys set revoked_at = $2 where actor_id = $1 and revoked_at is null and not is_session
returning api_key_id, name
"""

PERSONAL_KEYS = """
select api_key_id, name, last_four, created_at, expires_at, last_used_at
from api_keys
where actor_id = $1 and revoked_at is null and not is_session and api_key_id > $2
order by api_key_id limit $3
"""

PERSONAL_KEY = """
select api_key_id, name, last_four, created_at, expires_at, last_used_at
from api_keys
where actor_id = $1 and revoked_at is null and not is_session and api_key_id = $2
"""

NOTE_USE = """
update api_keys set last_used_at = $2
where api_key_id = any($1::uuid[]) and (last_used_at is null or last_used_at < $2)
"""
