"""The SQL of people."""

# Parameters: $1 person_id
# Returns: person_id, name, email, created_at
PROFILE = """
select person_id, name, email, created_at from people join actors on actor_id = person_id where person_id = $1
"""

# Parameters: $1 actor_id, $2 the last organization_id of the previous page, $3 limit, $4 organization_ids to leave out
# Returns: organization_id, name, role
ORGANIZATIONS = """
select organization_id, o.name, m.role
from memberships m join organizations o using (organization_id)
where m.actor_id = $1 and m.deactivated_at is null and organization_id > $2
  and organization_id <> all($4::uuid[])
order by organization_id limit $3
"""

# Parameters: $1 person_id, $2 name, $3 created_at
ADD_ACTOR = "insert into actors (actor_id, kind, name, created_at) values ($1, 'person', $2, $3)"

# Parameters: $1 person_id, $2 email, $3 mailbox_proven_at
ADD_PERSON = "insert into people (person_id, email, mailbox_proven_at) values ($1, $2, $3)"

# Parameters: $1 email
# Returns: person_id
BY_EMAIL = "select person_id from people where lower(email) = lower($1)"

# The account of an address, which stays its address until the transaction ends. `is_same`: whether the two addresses
# differ in the case of ASCII letters at most, as when people sign in. Otherwise, as with `İ` and `i`, they are two
# mailboxes, only one of which can be that of an account.
# Parameters: $1 email
# Returns: person_id, is_same
LOCK_BY_EMAIL = """
select person_id, lower(email collate "C") = lower($1 collate "C") as is_same from people
where lower(email) = lower($1) for update
"""

# Created by the operator of the machine, so using the link verifies the email address.
# Parameters: $1 token_hash, $2 person_id, $3 created_at, $4 expires_at
ADD_SIGN_IN_LINK = """
insert into sign_in_links (token_hash, person_id, created_at, expires_at, proves_mailbox) values ($1, $2, $3, $4, true)
"""

# Signing in, ending sessions, adopting an account and changing its address are serialized: all lock this row.
# Parameters: $1 person_id
LOCK = "select from people where person_id = $1 for update"

# Parameters: $1 person_id, $2 mailbox_proven_at
# Returns: person_id
MARK_PROVEN = """
update people set mailbox_proven_at = $2 where person_id = $1 and mailbox_proven_at is null returning person_id
"""

# Parameters: $1 actor_id, $2 revoked_at, $3 api_key_id to keep, or null
END_KEYS = """
update api_keys set revoked_at = $2
where actor_id = $1 and revoked_at is null and api_key_id is distinct from $3
"""

# Parameters: $1 person_id, $2 used_at
END_LINKS = "update sign_in_links set used_at = $2 where person_id = $1 and used_at is null"

# Parameters: $1 person_id
FORGET_HASH = "delete from passwords where person_id = $1"

# Parameters: $1 person_id
FORGET_PROOF = "update people set mailbox_proven_at = null where person_id = $1 and mailbox_proven_at is not null"

# Parameters: $1 person_id
END_IDENTITIES = "delete from identities where person_id = $1"

# Parameters: $1 actor_id, $2 name
RENAME = "update actors set name = $2 where actor_id = $1"
