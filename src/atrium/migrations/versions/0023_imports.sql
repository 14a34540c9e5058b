-- Imports of uploaded files: the list of an organization, and the queue of the workers. The id is also that of the
-- upload and of the stored file, which is removed when the import ends.
create table imports (
    import_id uuid primary key,
    organization_id uuid not null references organizations,
    space_id uuid not null references spaces,
    name text not null,
    size bigint not null,
    status text not null default 'uploading'
        check (status in ('uploading', 'checking', 'ready', 'importing', 'done', 'failed', 'canceled')),
    done bigint not null default 0,
    total bigint not null default 0,
    checked jsonb,
    counters jsonb,
    reason text,
    attempts smallint not null default 0,
    claim uuid,
    due_at timestamptz not null,
    created_by uuid not null references actors,
    created_at timestamptz not null,
    ended_at timestamptz
);
create index imports_by_organization on imports (organization_id, import_id);
create index imports_due on imports (due_at) where ended_at is null;

-- The upload of an import belongs to no room.
alter table uploads alter column room_id drop not null;
