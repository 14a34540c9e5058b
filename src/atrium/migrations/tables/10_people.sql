-- Organizations, the people and integrations that act in them, and how people sign in.

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

-- `signed_in_at` stays when the session is long forgotten: an account that was used is never handed out by an
-- invitation. `mailbox_proven_at` is when the owner of the address showed that they read its mail. Until then someone
-- else may have made the account, and have keys to it.
create table people (
    person_id uuid primary key references actors,
    email text,
    signed_in_at timestamptz,
    mailbox_proven_at timestamptz
);
create unique index people_by_email on people (lower(email));

create table integrations (
    integration_id uuid primary key references actors,
    organization_id uuid not null references organizations,
    description text not null,
    created_by uuid references actors
);

-- `active_when_proven` is null, except in a membership that another organization gave to an address whose account is
-- not proven: it has no access until it is, and becomes active or not as the value says. `pending_name` and
-- `pending_email` are the name and address by which that organization added the account. It learns no others until the
-- owner of this address accepts.
-- `key_policy_at` is when the policy of the organization was set, null without one: `caller_of` reads policies only
-- where there is one. Its change lets open event streams read their access again.
create table memberships (
    actor_id uuid not null references actors,
    organization_id uuid not null references organizations,
    role organization_role not null,
    created_at timestamptz not null,
    deactivated_at timestamptz,
    active_when_proven boolean,
    key_policy_at timestamptz,
    pending_name text,
    pending_email text,
    primary key (actor_id, organization_id),
    constraint unproven_has_no_access check (active_when_proven is null or deactivated_at is not null)
);
create index memberships_by_organization on memberships (organization_id, actor_id);
create index memberships_that_wait on memberships (actor_id) where active_when_proven is not null;

-- `mail_token_hash` is of the token in the mail, where it differs from the one that the inviting admin was shown.
-- `invited_by` is null for an invitation by the command line.
create table invitations (
    invitation_id uuid primary key,
    organization_id uuid not null references organizations,
    email text not null,
    role organization_role not null,
    token_hash bytea not null unique,
    invited_by uuid references actors,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    accepted_at timestamptz,
    mail_token_hash bytea unique,
    revoked_at timestamptz
);

create table passwords (
    person_id uuid primary key references people,
    hash text not null,
    changed_at timestamptz not null
);

-- A link signs in or sets a password (`purpose`). `proves_mailbox` is false where administrators see the link too.
create table sign_in_links (
    token_hash bytea primary key,
    person_id uuid not null references people,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz,
    purpose text not null default 'sign_in',
    proves_mailbox boolean not null default false
);
create index sign_in_links_by_person on sign_in_links (person_id);

-- A person at an identity provider: found by a verified address the first time, by this row afterwards.
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

-- Failed attempts, counted until one succeeds. `subject` is a hash of the account, or of the address they came from.
create table sign_in_attempts (
    subject bytea primary key,
    failures integer not null,
    last_at timestamptz not null,
    blocked_until timestamptz
);
create index sign_in_attempts_by_age on sign_in_attempts (last_at);
