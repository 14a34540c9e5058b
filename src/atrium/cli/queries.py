"""The SQL of the command line: finding by name what the API finds by id."""

ORGANIZATIONS = "select organization_id, name, created_at from organizations order by organization_id"

PERSON = """
select person_id from memberships join people on person_id = actor_id
where organization_id = $1 and (person_id::text = lower($2) or lower(email) = lower($2))
"""

KEY_OWNER = """
select k.api_key_id, a.kind, a.actor_id, a.name, i.organization_id
from api_keys k join actors a using (actor_id) left join integrations i on i.integration_id = a.actor_id
where k.api_key_id = $1 and k.revoked_at is null and not k.is_session
  and not exists (select from incoming_webhooks w where w.incoming_webhook_id = k.api_key_id)
"""

ORGANIZATIONS_OF = """
select organization_id from memberships where actor_id = $1 and deactivated_at is null order by organization_id
"""

SPACES = """
select space_id, name from spaces where organization_id = $1 and deleted_at is null order by space_id
"""
