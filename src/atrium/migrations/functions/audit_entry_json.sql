-- Return an entry of the audit log as the API and its event show it.
create or replace function audit_entry_json(entry audit_entries) returns jsonb
language sql stable parallel safe as $$
    select jsonb_build_object(
        'entry_id', entry.entry_id, 'at', rfc3339(entry.at),
        'actor', jsonb_build_object('type', entry.actor_kind, 'id', entry.actor_id, 'name', entry.actor_name),
        'action', entry.action,
        'target', jsonb_build_object('type', entry.target_kind, 'id', entry.target_id, 'name', entry.target_name),
        'before', entry.before, 'after', entry.after, 'api_key_id', entry.api_key_id, 'address', entry.address,
        'request_id', entry.request_id)
$$;
