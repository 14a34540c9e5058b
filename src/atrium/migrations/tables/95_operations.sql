-- The audit log, mail, and what Atrium notes about its database and its clock.

-- What was done, and what was forbidden. Names are those of the time; nothing here refers to what may be deleted.
create table audit_entries (
    organization_id uuid not null,
    entry_id uuid not null,
    at timestamptz not null,
    actor_kind text not null,
    actor_id uuid,
    actor_name text not null,
    api_key_id uuid,
    address text,
    request_id text,
    action text not null,
    target_kind text not null,
    target_id uuid,
    target_name text,
    before jsonb,
    after jsonb,
    primary key (organization_id, entry_id)
);
create index audit_entries_by_target on audit_entries (organization_id, target_id, entry_id);
create index audit_entries_by_actor on audit_entries (organization_id, actor_id, entry_id);

-- Outgoing mail: queued in the transaction that it reports, sent afterwards, kept for a month. A mail without a next
-- attempt is finished: sent if it has a `sent_at`, else rejected for good. `organization_id` is the organization that
-- it is about; the admins of no other one see it.
create table mails (
    mail_id uuid primary key,
    recipient text not null,
    subject text not null,
    body text not null,
    created_at timestamptz not null,
    sent_at timestamptz,
    attempts integer not null default 0,
    next_attempt_at timestamptz,
    last_error text,
    organization_id uuid,
    check (sent_at is null or next_attempt_at is null)
);
create index mails_that_wait on mails (next_attempt_at) where next_attempt_at is not null;
create index mails_by_age on mails (created_at);
create index mails_of_organizations on mails (organization_id, lower(recipient), created_at)
where organization_id is not null;

-- The time up to which expired data is deleted. The worker moves it towards now by an hour at most each time, even if
-- the clock jumps (cleanup/actions.py). It has no row before the first time.
create table removal (
    one boolean primary key default true check (one),
    until timestamptz not null
);

-- PostgreSQL begins a timeline when a replica is promoted. The first read from a replica after that marks it here. A
-- host that lacks the mark of the current timeline does not follow the primary: it follows a former one, or belongs to
-- another cluster, and its place in the write-ahead log says nothing (kit/postgres/replicas.py).
create table timelines (
    timeline int primary key,
    mark uuid not null default gen_random_uuid(),
    seen_at timestamptz not null default now()
);
