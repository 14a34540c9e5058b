"""The SQL of signing in."""

# People. Addresses are compared without case, but only ASCII letters are folded: `İ` is not `i`, or the owner of a
# mailbox with that spelling would be mistaken for another person.

# Parameters: $1 email
# Returns: person_id, name, email, hash, active
ACCOUNT = """
select person_id, name, p.email, hash,
       exists (select from memberships m where m.actor_id = person_id and m.deactivated_at is null) as active
from people p join actors on actor_id = person_id left join passwords using (person_id)
where lower(p.email) = lower($1) and lower(p.email collate "C") = lower($1 collate "C")
"""

# Parameters: $1 person_id
# Returns: person_id, name, email, hash, active
ACCOUNT_OF = """
select person_id, name, p.email, hash,
       exists (select from memberships m where m.actor_id = person_id and m.deactivated_at is null) as active
from people p join actors on actor_id = person_id left join passwords using (person_id)
where person_id = $1
"""

# Signing in and ending sessions are serialized: both lock this row.
# Parameters: $1 person_id, $2 signed_in_at
RECORD_SIGN_IN = "update people set signed_in_at = $2 where person_id = $1"

# Parameters: $1 person_id
LOCK_PERSON = "select from people where person_id = $1 for update"

# Passwords

# Parameters: $1 person_id, $2 hash, $3 changed_at
SET_HASH = """
insert into passwords (person_id, hash, changed_at) values ($1, $2, $3)
on conflict (person_id) do update set hash = excluded.hash, changed_at = excluded.changed_at
"""

# Parameters: $1 person_id, $2 the current hash, $3 the new hash
REPLACE_HASH = "update passwords set hash = $3 where person_id = $1 and hash = $2"

# Parameters: $1 person_id
# Returns: hash
HASH = "select hash from passwords where person_id = $1"

# Sessions

# Parameters: $1 api_key_id, $2 actor_id, $3 key_hash, $4 last_four, $5 created_at, $6 expires_at
ADD_KEY = """
insert into api_keys (api_key_id, actor_id, name, key_hash, last_four, created_by, created_at, expires_at, is_session)
values ($1, $2, 'Session', $3, $4, $2, $5, $6, true)
"""

# Parameters: $1 session_id, $2 user_agent, $3 address, $4 signed_in_by, $5 proven_email or null
ADD_SESSION = """
insert into sessions (session_id, user_agent, address, signed_in_by, proven_email) values ($1, $2, $3, $4, $5)
"""

# Parameters: $1 actor_id, $2 now, $3 session_id of the request, $4 the last session_id of the previous page, $5 limit
# Returns: session_id, user_agent, address, signed_in_by, created_at, last_used_at, expires_at, current
SESSIONS = """
select session_id, user_agent, address, signed_in_by, created_at, last_used_at, expires_at, session_id = $3 as current
from sessions join api_keys on api_key_id = session_id
where actor_id = $1 and revoked_at is null and expires_at > $2 and session_id > $4
order by session_id limit $5
"""

# Parameters: $1 actor_id, $2 now, $3 session_id of the request, $4 session_id
# Returns: session_id, user_agent, address, signed_in_by, created_at, last_used_at, expires_at, current
SESSION = """
select session_id, user_agent, address, signed_in_by, created_at, last_used_at, expires_at, session_id = $3 as current
from sessions join api_keys on api_key_id = session_id
where actor_id = $1 and revoked_at is null and expires_at > $2 and session_id = $4
"""

# Whether the owner of the session knows the password: they signed in with it, and a change since would have ended it.
# Parameters: $1 session_id
# Returns: exists
IS_KNOWN_TO_OWNER = """
select exists (select from sessions where session_id = $1 and signed_in_by in ('password', 'invitation', 'reset'))
"""

# Parameters: $1 actor_id, $2 api_key_id, $3 revoked_at
END_SESSION = """
update api_keys set revoked_at = $3 where actor_id = $1 and api_key_id = $2 and is_session and revoked_at is null
"""

# Parameters: $1 actor_id, $2 revoked_at, $3 session_id to keep, or null
END_SESSIONS = """
update api_keys set revoked_at = $2
where actor_id = $1 and is_session and revoked_at is null and api_key_id is distinct from $3
"""

# Emailed links. Both statements do the same work for an unknown address, so that it takes as long.

# Parameters: $1 token_hash, $2 email, $3 created_at, $4 expires_at, $5 purpose, $6 proves_mailbox
# Returns: person_id
ADD_LINK_FOR = """
insert into sign_in_links (token_hash, person_id, created_at, expires_at, purpose, proves_mailbox)
select $1, person_id, $3, $4, $5, $6
from people
where lower(email) = lower($2) and lower(email collate "C") = lower($2 collate "C")
  and exists (select from memberships m
              where m.actor_id = person_id and (m.deactivated_at is null or m.active_when_proven))
returning person_id
"""

# Parameters: $1 mail_id, $2 person_id, $3 subject, $4 body, $5 created_at
PUT_MAIL_FOR = """
insert into mails (mail_id, recipient, subject, body, created_at, next_attempt_at)
select $1, email, $3, $4, $5, $5 from people where person_id = $2
"""

# Parameters: $1 token_hash, $2 purpose, $3 used_at
# Returns: person_id, proves_mailbox
REDEEM_LINK = """
update sign_in_links set used_at = $3
where token_hash = $1 and purpose = $2 and used_at is null and expires_at > $3
returning person_id, proves_mailbox
"""

# Parameters: $1 token_hash, $2 purpose, $3 now
# Returns: person_id
LINK = """
select person_id from sign_in_links
where token_hash = $1 and purpose = $2 and used_at is null and expires_at > $3
"""

# Parameters: $1 person_id, $2 used_at
END_LINKS = "update sign_in_links set used_at = $2 where person_id = $1 and used_at is null"

# Identities at a provider

# Parameters: $1 issuer, $2 subject
# Returns: person_id
IDENTITY = "select person_id from identities where issuer = $1 and subject = $2"

# Parameters: $1 issuer, $2 person_id
# Returns: exists
IS_LINKED = "select exists (select from identities where issuer = $1 and person_id = $2)"

# Parameters: $1 issuer, $2 subject, $3 person_id, $4 created_at
ADD_IDENTITY = """
insert into identities (issuer, subject, person_id, created_at) values ($1, $2, $3, $4) on conflict do nothing
"""

# Parameters: $1 state_hash, $2 expires_at
# Returns: is_new
CONSUME_STATE = """
insert into spent_states (state_hash, expires_at) values ($1, $2) on conflict do nothing returning true as is_new
"""

# Parameters: $1 organization_id
# Returns: name
ORGANIZATION = "select name from organizations where organization_id = $1"

# Attempts

# Parameters: $1 subject, $2 last_at
TOUCH_COUNT = "update sign_in_attempts set last_at = $2 where subject = $1"

# Parameters: $1 subject
RESET_ATTEMPTS = "delete from sign_in_attempts where subject = $1"

# Parameters: $1 subject
UNDO_COUNT = """
update sign_in_attempts set failures = greatest(failures - 1, 0), blocked_until = null where subject = $1
"""

# Expired rows

# Parameters: $1 the earliest last_at to keep
DELETE_OLD_ATTEMPTS = "delete from sign_in_attempts where last_at < $1"

# Parameters: $1 the earliest expires_at to keep
DELETE_OLD_STATES = "delete from spent_states where expires_at < $1"

# Parameters: $1 the earliest expires_at to keep
DELETE_OLD_LINKS = "delete from sign_in_links where expires_at < $1"

# Parameters: $1 the earliest revoked_at or expires_at to keep
DELETE_OLD_SESSIONS = """
delete from api_keys where is_session and (revoked_at < $1 or expires_at < $1)
"""
