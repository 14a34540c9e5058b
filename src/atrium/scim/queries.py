"""The SQL of the directory. Each lookup returns ids by one key of one index."""

# Parameters: $1 integration_id
# Returns: organization_id, name, created_at, role
ORGANIZATION_OF = """
select o.organization_id, o.name, o.created_at, m.role
from integrations i join organizations o using (organization_id)
join memberships m on m.actor_id = i.integration_id and m.organization_id = i.organization_id
where i.integration_id = $1 and m.deactivated_at is null
"""

# Changes of users are serialized; changes of groups can run concurrently, but not during a change of a user.
# Parameters: $1 organization_id
LOCK_SHARED = "select from organizations where organization_id = $1 for share"

# Users. The view `directory` has the attributes, membership and groups of each user.

# Parameters: $1 organization_id, $2 ids
# Returns: organization_id, id, user_name_key, external_key, display_key, email_keys, attributes, provisioned, role,
# active, created_at, updated_at, groups
USERS = "select * from directory where organization_id = $1 and id = any($2::uuid[]) order by id"

# Parameters: $1 organization_id, $2 the last user_id of the previous page, $3 limit
# Returns: user_id
USERS_AFTER = """
select user_id from directory_users where organization_id = $1 and user_id > $2 order by user_id limit $3
"""

# Parameters: $1 organization_id, $2 offset, $3 limit
# Returns: user_id
USERS_PAGE = "select user_id from directory_users where organization_id = $1 order by user_id offset $2 limit $3"

# Parameters: $1 organization_id
# Returns: count
USERS_COUNT = "select count(*) from directory_users where organization_id = $1"

# Parameters: $1 organization_id, $2 user_id
# Returns: user_id
USER_BY_ID = "select user_id from directory_users where organization_id = $1 and user_id = $2::uuid"

# Parameters: $1 organization_id, $2 user_name_key
# Returns: user_id
USERS_BY_NAME = "select user_id from directory_users where organization_id = $1 and user_name_key = $2"

# Parameters: $1 organization_id, $2 external_key
# Returns: user_id
USERS_BY_EXTERNAL_ID = "select user_id from directory_users where organization_id = $1 and external_key = $2"

# Parameters: $1 organization_id, $2 display_key
# Returns: user_id
USERS_BY_DISPLAY_NAME = "select user_id from directory_users where organization_id = $1 and display_key = $2"

# Parameters: $1 organization_id, $2 email key
# Returns: user_id
USERS_BY_EMAIL = "select user_id from directory_users where organization_id = $1 and email_keys @> array[$2]"

# Parameters: $1 organization_id, $2 group_id
# Returns: actor_id
USERS_OF_GROUP = """
select actor_id from groups join group_members gm using (group_id)
where groups.organization_id = $1 and groups.group_id = $2::uuid
"""

# Parameters: $1 organization_id, $2 user_id, $3 attributes (JSON), $4 user_name_key, $5 external_key, $6 display_key,
# $7 email_keys, $8 updated_at
WRITE_USER = """
update directory_users
set attributes = $3, user_name_key = $4, external_key = $5, display_key = $6, email_keys = $7, provisioned = true,
    updated_at = $8
where organization_id = $1 and user_id = $2
"""

# Parameters: $1 organization_id, $2 actor_id, $3 name, $4 email or null
# Returns: actor_id
WRITE_PENDING = """
update memberships set pending_name = $3, pending_email = $4
where organization_id = $1 and actor_id = $2 and active_when_proven is not null
returning actor_id
"""

# Parameters: $1 actor_id, $2 name
RENAME = "update actors set name = $2 where actor_id = $1"

# A new address is not verified, what was sent to the former one ends, and an invitation that was sent to the new one
# proves nothing: another person may have read it. Only ASCII letters are compared without case,
# as when people sign in.
# Parameters: $1 person_id, $2 email, $3 now
SET_EMAIL = """
with new as (
    select person_id from people
    where person_id = $1 and lower(email collate "C") is distinct from lower($2 collate "C")
), ended as (
    update sign_in_links l set used_at = $3 from new where l.person_id = new.person_id and l.used_at is null
), invited as (
    update invitations i set mail_token_hash = null from new
    where lower(i.email) = lower($2) and i.mail_token_hash is not null
)
update people set email = $2, mailbox_proven_at = case when not exists (select from new) then mailbox_proven_at end
where person_id = $1
"""

# Groups. Their members, who may be thousands, are included if `$3` is above 0, and the members' names if it is above 1.

# Parameters: $1 organization_id, $2 group_ids, $3 members: 0 none, 1 their ids, 2 also their names, $4 base URL of
# SCIM
# Returns: id, attributes, version, created_at, updated_at, all
GROUPS = """
select g.group_id as id, g.attributes::text, g.version, g.created_at, g.updated_at, members.all
from groups g left join lateral (
    select json_agg(json_strip_nulls(json_build_object(
        'value', gm.actor_id, '$ref', concat($4::text, '/Users/', gm.actor_id), 'type', 'User',
        'display', case when $3 > 1 then coalesce(m.pending_name, a.name) end)) order by gm.actor_id)::text as all
    from group_members gm join actors a using (actor_id)
    join memberships m on m.actor_id = gm.actor_id and m.organization_id = gm.organization_id
    where gm.group_id = g.group_id and $3::int > 0) members on true
where g.organization_id = $1 and g.group_id = any($2::uuid[])
order by g.group_id
"""

# Parameters: $1 organization_id, $2 the last group_id of the previous page, $3 limit
# Returns: group_id
GROUPS_AFTER = """
select group_id from groups where organization_id = $1 and group_id > $2 order by group_id limit $3
"""

# Parameters: $1 organization_id, $2 offset, $3 limit
# Returns: group_id
GROUPS_PAGE = "select group_id from groups where organization_id = $1 order by group_id offset $2 limit $3"

# Parameters: $1 organization_id
# Returns: count
GROUPS_COUNT = "select count(*) from groups where organization_id = $1"

# Parameters: $1 organization_id, $2 group_id
# Returns: group_id
GROUP_BY_ID = "select group_id from groups where organization_id = $1 and group_id = $2::uuid"

# Parameters: $1 organization_id, $2 external_key
# Returns: group_id
GROUPS_BY_EXTERNAL_ID = "select group_id from groups where organization_id = $1 and external_key = $2"

# Parameters: $1 organization_id, $2 display_key
# Returns: group_id
GROUPS_BY_DISPLAY_NAME = "select group_id from groups where organization_id = $1 and display_key = $2"

# Parameters: $1 organization_id, $2 actor_id
# Returns: group_id
GROUPS_OF_USER = """
select gm.group_id from group_members gm where gm.organization_id = $1 and gm.actor_id = $2::uuid
"""

# Parameters: $1 organization_id, $2 group_id, $3 display_key, $4 external_key, $5 attributes (JSON), $6 created_at
ADD_GROUP = """
insert into groups (organization_id, group_id, display_key, external_key, attributes, created_at, updated_at)
values ($1, $2, $3, $4, $5, $6, $6)
"""

# Parameters: $1 organization_id, $2 group_id
LOCK_GROUP = "select from groups where organization_id = $1 and group_id = $2 for update"

# Parameters: $1 group_id, $2 display_key, $3 external_key, $4 attributes (JSON), $5 updated_at
WRITE_GROUP = """
update groups set display_key = $2, external_key = $3, attributes = $4, version = version + 1, updated_at = $5
where group_id = $1
"""

# Parameters: $1 organization_id, $2 group_id
DELETE_GROUP = "delete from groups where organization_id = $1 and group_id = $2"

# Parameters: $1 organization_id, $2 user_ids
# Returns: id
UNKNOWN_USERS = """
select id from unnest($2::uuid[]) as id
where not exists (select from directory_users where organization_id = $1 and user_id = id) limit 1
"""

# Parameters: $1 organization_id, $2 group_id, $3 actor_ids
# Returns: actor_id
ADD_MEMBERS = """
insert into group_members (group_id, organization_id, actor_id)
select $2, $1, id from unnest($3::uuid[]) as id on conflict do nothing
returning actor_id
"""

# Parameters: $1 organization_id, $2 group_id, $3 actor_ids
# Returns: actor_id
REMOVE_MEMBERS = """
delete from group_members where organization_id = $1 and group_id = $2 and actor_id = any($3::uuid[]) returning actor_id
"""

# Parameters: $1 organization_id, $2 group_id, $3 actor_ids to keep
# Returns: actor_id
REMOVE_OTHER_MEMBERS = """
delete from group_members where organization_id = $1 and group_id = $2 and actor_id <> all($3::uuid[])
returning actor_id
"""

# Parameters: $1 organization_id, $2 user_name_key
# Returns: id, provisioned
DIRECTORY_BY_NAME = """
select user_id as id, provisioned from directory_users where organization_id = $1 and user_name_key = $2
"""

# Parameters: $1 organization_id, $2 user_id
# Returns: id, provisioned
DIRECTORY_BY_ID = "select user_id as id, provisioned from directory_users where organization_id = $1 and user_id = $2"

# The roles of groups in spaces.

# Parameters: $1 organization_id, $2 the last group_id of the previous page, $3 limit
# Returns: group_id, name, created_at, member_count
ORGANIZATION_GROUPS = """
select group_id, attributes->>'displayName' as name, created_at,
       (select count(*) from group_members gm where gm.group_id = groups.group_id) as member_count
from groups where organization_id = $1 and group_id > $2 order by group_id limit $3
"""

# Parameters: $1 space_id, $2 the last group_id of the previous page, $3 limit
# Returns: group_id, name, role, member_count
SPACE_GROUPS = """
select g.group_id, g.attributes->>'displayName' as name, given.role,
       (select count(*) from group_members gm where gm.group_id = g.group_id) as member_count
from space_group_grants given join groups g using (group_id)
where given.space_id = $1 and g.group_id > $2 order by g.group_id limit $3
"""

# Parameters: $1 space_id, $2 group_id
# Returns: group_id, name, role, member_count
SPACE_GROUP = """
select g.group_id, g.attributes->>'displayName' as name, given.role,
       (select count(*) from group_members gm where gm.group_id = g.group_id) as member_count
from space_group_grants given join groups g using (group_id)
where given.space_id = $1 and g.group_id = $2
"""

# Parameters: $1 space_id, $2 group_id, $3 role, $4 created_at, $5 organization_id
GRANT_TO_GROUP = """
insert into space_group_grants (space_id, group_id, role, created_at)
select $1, group_id, $3, $4 from groups where group_id = $2 and organization_id = $5
on conflict (space_id, group_id) do update set role = excluded.role
"""

# Parameters: $1 space_id, $2 group_id
REVOKE_FROM_GROUP = "delete from space_group_grants where space_id = $1 and group_id = $2"
