-- An entry of the audit log is an event for the organization's webhooks.
create or replace function queue_audit_entry() returns trigger
language plpgsql as $$
begin
    if is_subscribed('audit_entry', new.organization_id, null) then
        perform queue_event('audit_entry', 'organization', new.organization_id, null, null, ms_of(new.at), jsonb_build_object(
            'entry_id', new.entry_id, 'at', json_time(new.at)::jsonb,
            'actor', jsonb_build_object('type', new.actor_kind, 'id', new.actor_id, 'name', new.actor_name),
            'action', new.action,
            'target', jsonb_build_object('type', new.target_kind, 'id', new.target_id, 'name', new.target_name),
            'before', new.before, 'after', new.after, 'api_key_id', new.api_key_id, 'address', new.address,
            'request_id', new.request_id)::text);
    end if;
    return null;
end $$;

create or replace trigger queue_event after insert on audit_entries
    for each row execute function queue_audit_entry();
