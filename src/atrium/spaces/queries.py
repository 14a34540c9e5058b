"""The SQL of spaces."""

# Parameters: $1 space_id, $2 organization_id, $3 name, $4 description, $5 visibility, $6 created_by, $7 created_at
ADD = """
insert into spaces (space_id, organization_id, name, description, visibility, created_by, created_at)
values ($1, $2, $3, $4, $5, $6, $7)
"""

# A space, if the actor has a role in it.
# Parameters: $1 space_id, $2 actor_id, $3 actor's kind
# Returns: space (JSON), organization_role
REACH = """
select space_json(s) || jsonb_build_object('role', access.role) as space, access.organization_role
from spaces s join lateral role_in($2, $3, s.space_id) access on true
where s.space_id = $1
"""

# The spaces of an organization in which the actor has a role.
# Parameters: $1 organization_id, $2 actor_id, $3 actor's kind, $4 the last space_id before the page, $5 limit
# Returns: space (JSON)
SPACES = """
select space_json(s) || jsonb_build_object('role', access.role) as space
from spaces s join lateral role_in($2, $3, s.space_id) access on true
where s.organization_id = $1 and s.space_id > $4
order by s.space_id limit $5
"""

# Change what is not null.
# Parameters: $1 space_id, $2 name, $3 description, $4 visibility
CHANGE = """
update spaces set name = coalesce($2, name), description = coalesce($3, description),
       visibility = coalesce($4, visibility)
where space_id = $1
"""

# The ids of all spaces of an organization.
# Parameters: $1 organization_id
# Returns: space_id
SPACE_IDS = "select space_id from spaces where organization_id = $1 and deleted_at is null"

# Parameters: $1 space_id, $2 deleted_at
DELETE = "update spaces set deleted_at = $2 where space_id = $1"

# Parameters: $1 actor_id, $2 actor's kind, $3 space_id, $4 organization_id
# Returns: role
ROLE_IN = "select role from role_in($1, $2, $3) where organization_id = $4"

# Parameters: $1 space_id, $2 the last actor_id before the page, $3 limit
# Returns: actor_id, actor_type, name, role, granted
MEMBERS = """
select a.actor_id, a.kind as actor_type, a.name, access.role, g.role as granted
from spaces s join memberships m using (organization_id) join actors a using (actor_id)
join lateral role_in(a.actor_id, a.kind, s.space_id) access on true
left join space_grants g on g.space_id = s.space_id and g.actor_id = a.actor_id
where s.space_id = $1 and a.actor_id > $2
order by a.actor_id limit $3
"""

# Parameters: $1 space_id, $2 actor_id
# Returns: actor_id, actor_type, name, role, granted
MEMBER = """
select a.actor_id, a.kind as actor_type, a.name, access.role, g.role as granted
from actors a join lateral role_in(a.actor_id, a.kind, $1) access on true
left join space_grants g on g.space_id = $1 and g.actor_id = a.actor_id
where a.actor_id = $2
"""

# Parameters: $1 organization_id, $2 actor_id
IS_MEMBER = "select from memberships where organization_id = $1 and actor_id = $2 and deactivated_at is null"

# Parameters: $1 space_id, $2 actor_id, $3 role, $4 created_at
GRANT = """
insert into space_grants (space_id, actor_id, role, created_at) values ($1, $2, $3, $4)
on conflict (space_id, actor_id) do update set role = excluded.role
"""

# Parameters: $1 space_id, $2 actor_id
REVOKE = "delete from space_grants where space_id = $1 and actor_id = $2"
