-- An entry of the audit log is an event for the organization's webhooks.
create or replace function log_audit_entry() returns trigger
language plpgsql as $$
begin
    insert into live_events (kind, organization_id, data)
    values ('audit_entry', new.organization_id, jsonb_build_object('entry_id', new.entry_id));
    return null;
end $$;

create or replace trigger log_event after insert on audit_entries
    for each row execute function log_audit_entry();
