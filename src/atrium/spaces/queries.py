"""The SQL of spaces."""

ADD = """
insert into spaces (space_id, organization_id, name, description, visibility, created_by, created_at)
values ($1, $2, $3, $4, $5, $6, $7)
"""

REACH = """
select s.space_id, s.organization_id, s.name, s.description, s.visibility, s.created_by, s.created_at,
       access.role, access.organization_role
from spaces s join lateral role_in($2, $3, s.space_id) access on true
where s.space_id = $1
"""

SPACES = """
select s.space_id, s.organization_id, s.name, s.description, s.visibility, s.created_by, s.created_at, access.role
from spaces s join lateral role_in($2, $3, s.space_id) access on true
where s.organization_id = $1 and s.space_id > $4
order by s.space_id limit $5
"""

CHANGE = """
update spaces set name = coalesce($2, name), description = coalesce($3, description),
       visibility = coalesce($4, visibility)
where space_id = $1
"""

IDS = "select space_id from spaces where organization_id = $1 and deleted_at is null"

DELETE = "update spaces set deleted_at = $2 where space_id = $1"

ROLE_IN = "select role from role_in($1, $2, $3)"

MEMBERS = """
select a.actor_id, a.kind as actor_type, a.name, access.role, g.role as granted
from spaces s join memberships m using (organization_id) join actors a using (actor_id)
join lateral role_in(a.actor_id, a.kind, s.space_id) access on true
left join space_grants g on g.space_id = s.space_id and g.actor_id = a.actor_id
where s.space_id = $1 and a.actor_id > $2
order by a.actor_id limit $3
"""

MEMBER = """
select a.actor_id, a.kind as actor_type, a.name, access.role, g.role as granted
from actors a join lateral role_in(a.actor_id, a.kind, $1) access on true
left join space_grants g on g.space_id = $1 and g.actor_id = a.actor_id
where a.actor_id = $2
"""

BELONGS = "select from memberships where organization_id = $1 and actor_id = $2 and deactivated_at is null"

GRANT = """
insert into space_grants (space_id, actor_id, role, created_at) values ($1, $2, $3, $4)
on conflict (space_id, actor_id) do update set role = excluded.role
"""

WITHDRAW = "delete from space_grants where space_id = $1 and actor_id = $2"
