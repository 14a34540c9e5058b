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

ADD_PERSON = "insert into people (person_id, email) values ($1, $2)"

BY_EMAIL = "select person_id from people where lower(email) = lower($1)"

ADD_SIGN_IN_LINK = """
insert into sign_in_links (token_hash, person_id, created_at, expires_at) values ($1, $2, $3, $4)
"""

RENAME = "update actors set name = $2 where actor_id = $1"
