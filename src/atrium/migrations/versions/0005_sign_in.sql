-- How people sign in. A browser session is a key that its owner never sees: so whatever takes a key, and whatever
-- stops one, holds for sessions too. What only sessions have stands beside it.

alter table api_keys add column is_session boolean not null default false;
create index sessions_by_end on api_keys (expires_at) where is_session;

create table sessions (
    session_id uuid primary key references api_keys on delete cascade,
    user_agent text not null,
    address text,
    signed_in_by text not null
);

-- Once set it stays, also when the session that it tells of is long forgotten: an account that somebody has used is
-- never handed out by an invitation.
alter table people add column signed_in_at timestamptz;

create table passwords (
    person_id uuid primary key references people,
    hash text not null,
    changed_at timestamptz not null
);

-- A link is for one thing: signing in, or setting a password.
alter table sign_in_links add column purpose text not null default 'sign_in';
create index sign_in_links_by_person on sign_in_links (person_id);

-- Who somebody is at a provider: found by a verified address once, by this afterwards.
create table identities (
    issuer text not null,
    subject text not null,
    person_id uuid not null references people,
    created_at timestamptz not null,
    primary key (issuer, subject)
);

-- Round trips to a provider that came back; each may do so once.
create table spent_states (
    state_hash bytea primary key,
    expires_at timestamptz not null
);

-- Attempts that are counted until one succeeds, by a hash of what they were made on or from.
create table sign_in_attempts (
    subject bytea primary key,
    failures integer not null,
    last_at timestamptz not null,
    blocked_until timestamptz
);
create index sign_in_attempts_by_age on sign_in_attempts (last_at);
