-- Return an entry of the audit log as its event shows it. Called by QUEUE.
create or replace function audit_entry_json(organization uuid, entry uuid) returns jsonb
language sql stable as $$
    select jsonb_build_object(
        'entry_id', entry_id, 'at', json_time(at)::jsonb,
        'actor', jsonb_build_object('type', actor_kind, 'id', actor_id, 'name', actor_name), 'action', action,
        'target', jsonb_build_object('type', target_kind, 'id', target_id, 'name', target_name),
        'before', before, 'after', after, 'api_key_id', api_key_id, 'address', address, 'request_id', request_id)
    from audit_entries where audit_entries.organization_id = organization and audit_entries.entry_id = entry
$$;
