-- Keys, their limits, the policies of organizations, and what keys were used for.

-- `scopes` and `allowed_networks` limit a key; null if it may do what its actor may, from everywhere.
-- `expiry_mailed_at` is when a mail about the expiry was last queued, or the expiry last set; null for never.
-- `issued_at` is when the key's secret was made, if it was rotated; else `created_at`.
-- `barred_in` are the organizations in which an admin has revoked a personal key. It still works in the others.
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
    revoked_at timestamptz,
    is_session boolean not null default false,
    scopes text[],
    allowed_networks cidr[],
    expiry_mailed_at timestamptz,
    issued_at timestamptz,
    barred_in uuid[]
);
create index api_keys_by_actor on api_keys (actor_id);
create index sessions_by_end on api_keys (expires_at) where is_session;
create index api_keys_by_expiry on api_keys (expires_at) where revoked_at is null and not is_session;

-- A browser session is a key that its owner never sees, so all that accepts or stops a key holds for sessions too. What
-- only sessions have is here. `proven_email` is the address that the sign-in proved, if any.
create table sessions (
    session_id uuid primary key references api_keys on delete cascade,
    user_agent text not null,
    address text,
    signed_in_by text not null,
    proven_email text
);

-- A key whose token is part of a URL, and the one room that the URL posts to. Its token has a prefix that is rejected
-- in an Authorization header, so it opens nothing else.
create table incoming_webhooks (
    incoming_webhook_id uuid primary key references api_keys,
    room_id uuid not null
);
create index incoming_webhooks_by_room on incoming_webhooks (room_id, incoming_webhook_id);

-- What an organization allows of keys; no row without rules. Keys that were made since `set_at` must fit `rules`, and the
-- others from `enforce_at`. Until then these must fit `rules_before`: those that were in force when the policy was set,
-- or the new ones where these are looser.
create table key_policies (
    organization_id uuid primary key references organizations,
    rules key_rules not null,
    set_at timestamptz not null,
    enforce_at timestamptz not null,
    rules_before key_rules not null
);

-- Requests with each key by day (UTC) and route. `scopes` are what the requests needed: none where every key suffices,
-- '*' where a key with scopes never does. Updates change no indexed column, and the pages have space for them.
create table key_usage (
    api_key_id uuid not null,
    day date not null,
    method text not null,
    route text not null,
    scopes text[] not null,
    requests bigint not null,
    forbidden bigint not null,
    limited bigint not null,
    primary key (api_key_id, day, method, route, scopes)
) with (fillfactor = 70);
create index key_usage_by_day on key_usage (day);

-- Where each key was used last.
create table key_addresses (
    api_key_id uuid not null,
    address inet not null,
    last_seen_at timestamptz not null,
    primary key (api_key_id, address)
) with (fillfactor = 70);
