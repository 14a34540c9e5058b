-- What was done and refused. Names are kept as they were; nothing here refers to what may be gone.

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

-- Append-only: nothing is changed, and only what the operator's retention setting lets go is removed.
create function refuse_to_rewrite() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' and current_setting('atrium.forgetting', true) = 'on' then
        return null;
    end if;
    raise exception 'the audit trail is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger append_only before update or delete or truncate on audit_entries
    for each statement execute function refuse_to_rewrite();

create function forget_audit_entries(older_than timestamptz) returns bigint language plpgsql as $$
declare
    gone bigint;
begin
    perform set_config('atrium.forgetting', 'on', true);
    delete from audit_entries where at < older_than;
    get diagnostics gone = row_count;
    perform set_config('atrium.forgetting', 'off', true);
    return gone;
end $$;
