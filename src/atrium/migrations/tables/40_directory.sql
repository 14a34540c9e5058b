-- What a directory (SCIM) says of an organization's people, and its groups. Columns named `..._key` are what look-ups
-- compare: folded by the rule that evaluates filters, which is why Atrium writes them.

-- Every person of an organization is a user of its directory; `provisioned` once a directory manages them. A person who
-- leaves takes the row along.
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
