-- Who: organizations, the people and integrations that act in them, and their keys.

create type organization_role as enum ('guest', 'member', 'reader', 'admin', 'super_admin');
create type space_role as enum ('reader', 'member', 'admin');
create type actor_kind as enum ('person', 'integration');
create type space_visibility as enum ('open', 'private');

create table organizations (
    organization_id uuid primary key,
    name text not null,
    created_at timestamptz not null
);

create table actors (
    actor_id uuid primary key,
    kind actor_kind not null,
    name text not null,
    created_at timestamptz not null
);

create table people (
    person_id uuid primary key references actors,
    email text
);
create unique index people_by_email on people (lower(email));

create table integrations (
    integration_id uuid primary key references actors,
    organization_id uuid not null references organizations,
    description text not null,
    created_by uuid references actors
);

create table memberships (
    actor_id uuid not null references actors,
    organization_id uuid not null references organizations,
    role organization_role not null,
    created_at timestamptz not null,
    deactivated_at timestamptz,
    primary key (actor_id, organization_id)
);
create index memberships_by_organization on memberships (organization_id, actor_id);

create table api_keys (
    api_key_id uuid primary key,
    actor_id uuid not null references actors,
    name text not null,
    key_hash bytea not null unique,
    last_four text not null,
    created_by uuid references actors,
    created_at timestamptz not null,
    expires_at timestamptz,
    last_used_at timestamptz,
    revoked_at timestamptz
);
create index api_keys_by_actor on api_keys (actor_id);

create table invitations (
    invitation_id uuid primary key,
    organization_id uuid not null references organizations,
    email text not null,
    role organization_role not null,
    token_hash bytea not null unique,
    invited_by uuid not null references actors,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    accepted_at timestamptz
);

create table sign_in_links (
    token_hash bytea primary key,
    person_id uuid not null references people,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz
);

-- Where: spaces, their roles, and rooms. `created_at` of a room may go down when an import brings older messages.

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

create table rooms (
    room_id uuid primary key,
    space_id uuid not null references spaces,
    name text not null,
    description text not null,
    room_type text not null,
    created_by uuid references actors,
    created_at timestamptz not null,
    archived_at timestamptz,
    deleted_at timestamptz
);
create index rooms_by_space on rooms (space_id, room_id);

-- What is said. These are the volume tables: each begins with the room it belongs to and refers to nothing outside it.
-- `last_seq` is the last id's time in milliseconds * 4096 + its counter; locking the row is the room's lock.

create table room_heads (
    room_id uuid primary key,
    last_seq bigint not null,
    last_message_id uuid
);

create function id_at(seq bigint) returns uuid language sql volatile parallel safe
return (lpad(to_hex(seq >> 12), 12, '0') || '7' || lpad(to_hex(seq & 4095), 3, '0')
        || right(replace(gen_random_uuid()::text, '-', ''), 16))::uuid;

create function id_floor(ms bigint) returns uuid language sql immutable parallel safe
return (lpad(to_hex(ms), 12, '0') || '70008000000000000000')::uuid;

create function id_ms(id uuid) returns bigint language sql immutable parallel safe
return ('x0000' || left(id::text, 8) || substr(id::text, 10, 4))::bit(64)::bigint;

create function time_of_ms(ms bigint) returns timestamptz language sql immutable parallel safe
return timestamptz 'epoch' + ms * interval '1 millisecond';

create function json_time(at timestamptz) returns text language plpgsql immutable parallel safe as $$
begin
    return coalesce('"' || to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null');
end $$;

-- Not by json_time: no caller can inline PL/pgSQL, and every page has two of these.
create function json_time_of_ms(ms bigint) returns text language sql stable parallel safe
return coalesce(to_char(timestamp 'epoch' + ms * interval '1 millisecond', '"\""YYYY-MM-DD"T"HH24:MI:SS.MS"Z\""'), 'null');

create function render_message(
    message_id uuid, room_id uuid, user_id uuid, sender_type actor_kind, parent_id uuid, thread_root_id uuid,
    text text, blocks jsonb, mentions uuid[], reactions jsonb, reply_count integer, last_reply_at timestamptz,
    sent_at timestamptz, edited_at timestamptz, deleted_at timestamptz
) returns text language plpgsql immutable parallel safe as $$
declare
    sent text := json_time(sent_at);
begin
    return '{"message_id":"' || message_id || '","room_id":"' || room_id || '","user_id":"' || user_id
        || '","sender_type":"' || sender_type || '","parent_id":' || coalesce('"' || parent_id || '"', 'null')
        || ',"thread_root_id":' || coalesce('"' || thread_root_id || '"', 'null')
        || ',"status":' || case when deleted_at is null then '"SENT"' else '"DELETED"' end
        || ',"text":' || to_json(text) || ',"blocks":' || blocks || ',"mentions":' || array_to_json(mentions)
        || ',"attachments":[],"reactions":' || reactions || ',"reply_count":' || reply_count
        || ',"last_reply_at":' || case when last_reply_at is null then 'null' else json_time(last_reply_at) end
        || ',"sent_at":' || sent || ',"created_at":' || sent
        || ',"edited_at":' || case when edited_at is null then 'null' else json_time(edited_at) end
        || ',"deleted_at":' || case when deleted_at is null then 'null' else json_time(deleted_at) end || '}';
end $$;

-- `rendered` stands before everything of varying length: a page reads nothing but it, and finds it without unpacking.
create table messages (
    room_id uuid not null,
    message_id uuid not null,
    rendered text not null generated always as (render_message(
        message_id, room_id, user_id, sender_type, parent_id, thread_root_id, text, blocks, mentions, reactions,
        reply_count, last_reply_at, sent_at, edited_at, deleted_at)) stored,
    user_id uuid not null,
    sender_type actor_kind not null,
    parent_id uuid,
    thread_root_id uuid,
    text text not null,
    blocks jsonb not null default '[]',
    mentions uuid[] not null default '{}',
    reactions jsonb not null default '[]',
    reply_count integer not null default 0,
    last_reply_at timestamptz,
    sent_at timestamptz not null,
    edited_at timestamptz,
    deleted_at timestamptz,
    primary key (room_id, message_id)
);
-- One index for both: the replies of a thread, and (where the root is null) the top level of a room.
create index messages_by_thread on messages (room_id, thread_root_id, message_id);

create table blocks (
    room_id uuid not null,
    block_id uuid not null,
    parent_block_id uuid,
    position integer not null,
    type text not null,
    content jsonb not null,
    version integer not null,
    created_by uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (room_id, block_id)
);
create index blocks_by_id on blocks (block_id);

create table idempotency_keys (
    scope_id uuid not null,
    actor_id uuid not null,
    route text not null,
    key text not null,
    body_hash bytea not null,
    status smallint,
    answer bytea,
    created_at timestamptz not null,
    primary key (scope_id, actor_id, route, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table imported (
    scope_id uuid not null,
    source text not null,
    external_id text not null,
    internal_id uuid not null,
    primary key (scope_id, source, external_id)
);

-- Who the bearer of a key is: nobody where the key is unknown, expired or revoked, or its person has no active account.
create function bearer(hash bytea, now timestamptz)
returns table (actor_id uuid, kind actor_kind, name text, api_key_id uuid) language sql stable parallel safe as $$
    select actor.actor_id, actor.kind, actor.name, key.api_key_id
    from api_keys key join actors actor on actor.actor_id = key.actor_id
    where key.key_hash = hash and key.revoked_at is null and (key.expires_at is null or key.expires_at > now)
      and exists (select from memberships m where m.actor_id = key.actor_id and m.deactivated_at is null)
$$;

-- The role of an actor in a space, and its role in the space's organization; no row where it has none.
-- Integrations never inherit; people from admin up are admin everywhere, from member up are member of what is open.
create function role_in(actor uuid, actor_is actor_kind, space uuid)
returns table (organization_id uuid, organization_role organization_role, role space_role)
language sql stable parallel safe as $$
    select found.organization_id, found.organization_role, found.role
    from (select s.organization_id, m.role as organization_role,
                 case when actor_is = 'integration' then g.role
                      when m.role >= 'admin' then 'admin'
                      when s.visibility = 'open' and m.role >= 'member' then greatest(g.role, 'member')
                      else g.role end as role
          from spaces s
          join memberships m on m.actor_id = actor and m.organization_id = s.organization_id
          left join space_grants g on g.space_id = s.space_id and g.actor_id = actor
          where s.space_id = space and s.deleted_at is null and m.deactivated_at is null) found
    where found.role is not null
$$;
