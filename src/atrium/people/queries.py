"""The SQL of people."""

PROFILE = """
select person_id, name, email, created_at from people join actors on actor_id = person_id where person_id = $1
"""

ORGANIZATIONS = """
select organization_id, o.name, m.role
from memberships m join organizations o using (organization_id)
where m.actor_id = $1 and m.deactivated_at is null and organization_id > $2
order by organization_id limit $3
"""

ADD_ACTOR = "insert into actors (actor_id, kind, name, created_at) values ($1, $2, $3, $4)"

ADD_PERSON = "insert into people (person_id, email, mailbox_proven_at) values ($1, $2, $3)"

BY_EMAIL = "select person_id from people where lower(email) = lower($1)"

# Created by the operator of the machine, which counts as proof of the mailbox.
ADD_SIGN_IN_LINK = """
insert into sign_in_links (token_hash, person_id, created_at, expires_at, proves_mailbox) values ($1, $2, $3, $4, true)
"""

# Signing in, ending sessions and adopting an account are serialized: all lock this row.
LOCK = "select from people where person_id = $1 for update"

MARK_PROVEN = """
update people set mailbox_proven_at = $2 where person_id = $1 and mailbox_proven_at is null returning person_id
"""

END_KEYS = """
update api_keys set revoked_at = $2
where actor_id = $1 and revoked_at is null and api_key_id is distinct from $3
"""

END_LINKS = "update sign_in_links set used_at = $2 where person_id = $1 and used_at is null"

FORGET_HASH = "delete from passwords where person_id = $1"

RENAME = "update actors set name = $2 where actor_id = $1"
