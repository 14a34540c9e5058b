-- What a directory (SCIM) says of an organization's people, and its groups. Columns named `..._key` are what look-ups
-- compare: folded by the same rule that evaluates filters, which is why the program writes them.

-- Every person of an organization is a user of its directory, whoever brought him; `provisioned` once a directory has
-- taken him over. A person who leaves takes the row along.
create table directory_users (
    organization_id uuid not null,
    user_id uuid not null,
    user_name_key text not null,
    external_key text,
    display_key text,
    email_keys text[] not null default '{}',
    attributes jsonb not null,
    provisioned boolean not null default false,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (organization_id, user_id),
    foreign key (user_id, organization_id) references memberships (actor_id, organization_id) on delete cascade
);
create unique index directory_users_by_name on directory_users (organization_id, user_name_key);
create index directory_users_by_external_id on directory_users (organization_id, external_key);
create index directory_users_by_display_name on directory_users (organization_id, display_key);
create index directory_users_by_email on directory_users using gin (email_keys);

create table groups (
    organization_id uuid not null references organizations,
    group_id uuid primary key,
    display_key text not null,
    external_key text,
    attributes jsonb not null,
    version integer not null default 1,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
create index groups_by_organization on groups (organization_id, group_id);
create index groups_by_display_name on groups (organization_id, display_key);
create index groups_by_external_id on groups (organization_id, external_key);

create table group_members (
    group_id uuid not null references groups on delete cascade,
    organization_id uuid not null,
    actor_id uuid not null,
    joined_at timestamptz not null default now(),
    primary key (group_id, actor_id),
    foreign key (organization_id, actor_id) references directory_users (organization_id, user_id) on delete cascade
);
create index group_members_by_actor on group_members (actor_id, group_id);

create table space_group_grants (
    space_id uuid not null references spaces,
    group_id uuid not null references groups on delete cascade,
    role space_role not null,
    created_at timestamptz not null,
    primary key (space_id, group_id)
);
create index space_group_grants_by_group on space_group_grants (group_id);

create function directory_user_of_member() returns trigger language plpgsql as $$
declare
    person record;
    called text;
begin
    select p.email, a.name into person from people p join actors a on a.actor_id = p.person_id
    where p.person_id = new.actor_id;
    if not found then
        return null;
    end if;
    called := coalesce(person.email, new.actor_id::text);
    if exists (select from directory_users where organization_id = new.organization_id
               and user_name_key = lower(called)) then
        called := new.actor_id::text;
    end if;
    insert into directory_users (organization_id, user_id, user_name_key, display_key, email_keys, attributes,
                                 created_at, updated_at)
    values (new.organization_id, new.actor_id, lower(called), lower(person.name),
            case when person.email is null then '{}' else array[lower(person.email)] end,
            jsonb_build_object('userName', called, 'displayName', person.name, 'active', true) || case
                when person.email is null then '{}'
                else jsonb_build_object('emails', jsonb_build_array(
                    jsonb_build_object('value', person.email, 'type', 'work', 'primary', true))) end,
            new.created_at, new.created_at);
    return null;
end $$;
create trigger directory_user_of_member after insert on memberships
    for each row execute function directory_user_of_member();

-- Members that leave by another door change the group's version too.
create function note_left_groups() returns trigger language plpgsql as $$
begin
    update groups set version = version + 1, updated_at = greatest(updated_at, now())
    where group_id in (select group_id from gone);
    return null;
end $$;
create trigger note_left_groups after delete on group_members
    referencing old table as gone for each statement execute function note_left_groups();

-- Those who are here already.
insert into directory_users (organization_id, user_id, user_name_key, display_key, email_keys, attributes,
                             created_at, updated_at)
select m.organization_id, p.person_id, lower(coalesce(p.email, p.person_id::text)), lower(a.name),
       case when p.email is null then '{}' else array[lower(p.email)] end,
       jsonb_build_object('userName', coalesce(p.email, p.person_id::text), 'displayName', a.name, 'active', true)
       || case
           when p.email is null then '{}'
           else jsonb_build_object('emails', jsonb_build_array(
               jsonb_build_object('value', p.email, 'type', 'work', 'primary', true))) end,
       m.created_at, m.created_at
from memberships m join people p on p.person_id = m.actor_id join actors a on a.actor_id = m.actor_id;

-- A user as a directory sees him.
create view directory as
select d.organization_id, d.user_id as id, d.user_name_key, d.external_key, d.display_key, d.email_keys,
       d.attributes::text, d.provisioned, m.role, m.deactivated_at is null as active, d.created_at,
       greatest(d.updated_at, m.deactivated_at) as updated_at,
       (select json_agg(json_build_object('value', g.group_id, 'display', g.attributes->>'displayName',
                                          'type', 'direct') order by g.group_id)
        from group_members gm join groups g using (group_id)
        where gm.actor_id = d.user_id and gm.organization_id = d.organization_id)::text as groups
from directory_users d join memberships m on m.actor_id = d.user_id and m.organization_id = d.organization_id;

-- The role of an actor in a space, and its role in the space's organization; no row where it has none.
-- Integrations never inherit and are in no group; people from admin up are admin everywhere, from member up are member
-- of what is open, and hold the highest of what was granted to them and to their groups. What groups give is looked up
-- only for whom it can matter.
create or replace function role_in(actor uuid, actor_is actor_kind, space uuid)
returns table (organization_id uuid, organization_role organization_role, role space_role)
language sql stable parallel safe as $$
    select found.organization_id, found.organization_role, found.role
    from (select s.organization_id, m.role as organization_role,
                 case when actor_is = 'integration' then g.role
                      when m.role >= 'admin' then 'admin'
                      when s.visibility = 'open' and m.role >= 'member'
                          then greatest(g.role, by_group.role, 'member')
                      else greatest(g.role, by_group.role) end as role
          from spaces s
          join memberships m on m.actor_id = actor and m.organization_id = s.organization_id
          left join space_grants g on g.space_id = s.space_id and g.actor_id = actor
          left join lateral (
              select max(given.role) as role from group_members gm join space_group_grants given using (group_id)
              where gm.actor_id = actor and given.space_id = s.space_id
                and actor_is = 'person' and m.role < 'admin') by_group on true
          where s.space_id = space and s.deleted_at is null and m.deactivated_at is null) found
    where found.role is not null
$$;
