-- A key that stops, or is limited, ends its streams. Its use is no such change.
create or replace function notify_of_key() returns trigger
language plpgsql as $$
begin
    perform emit_to_actor('key.changed', old.actor_id, null, null, null, null);
    return null;
end $$;

create or replace trigger notify_removed after delete on api_keys
    for each row execute function notify_of_key();
create or replace trigger notify_changed
    after update of key_hash, expires_at, revoked_at, actor_id, scopes, allowed_networks, barred_in on api_keys
    for each row when (old.key_hash is distinct from new.key_hash or old.expires_at is distinct from new.expires_at
                       or old.revoked_at is distinct from new.revoked_at or old.actor_id is distinct from new.actor_id
                       or old.scopes is distinct from new.scopes
                       or old.allowed_networks is distinct from new.allowed_networks
                       or old.barred_in is distinct from new.barred_in)
    execute function notify_of_key();
