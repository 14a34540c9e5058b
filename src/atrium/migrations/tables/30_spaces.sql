-- Spaces, the roles that are given in them, and rooms.

create table spaces (
    space_id uuid primary key,
    organization_id uuid not null references organizations,
    name text not null,
    description text not null,
    visibility space_visibility not null,
    created_by uuid references actors,
    created_at timestamptz not null,
    deleted_at timestamptz
);
create index spaces_by_organization on spaces (organization_id, space_id);

create table space_grants (
    space_id uuid not null references spaces,
    actor_id uuid not null references actors,
    role space_role not null,
    created_at timestamptz not null,
    primary key (space_id, actor_id)
);
create index space_grants_by_actor on space_grants (actor_id);

-- The spaces that an invitation adds its person to.
create table invitation_spaces (
    invitation_id uuid not null references invitations,
    space_id uuid not null references spaces,
    role space_role not null,
    primary key (invitation_id, space_id)
);

-- `created_at` goes down when an import brings older messages. `name_key` is the folded name, computed by Atrium so
-- that the locale of PostgreSQL makes no difference. Archived rooms keep their name, deleted rooms free it.
create table rooms (
    room_id uuid primary key,
    space_id uuid not null references spaces,
    name text not null,
    description text not null,
    room_type text not null,
    created_by uuid references actors,
    created_at timestamptz not null,
    archived_at timestamptz,
    deleted_at timestamptz,
    name_key text not null
);
create index rooms_by_space on rooms (space_id, room_id);
create unique index rooms_by_name on rooms (space_id, name_key) where deleted_at is null;
