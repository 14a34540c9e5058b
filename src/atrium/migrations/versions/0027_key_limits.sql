-- What a key may do, if less than its actor, and from which networks it may be used.
alter table api_keys
    add column scopes text[],
    add column allowed_networks cidr[];

-- The caller with a key that works. If the key is too narrow for the request, `actor_id` is null and `exceeded` is the
-- code of the error. `needed` is a scope, or null where a key with scopes never suffices, or '' where any key does.
drop function bearer(bytea, timestamptz);
create function bearer(hash bytea, now timestamptz, needed text, address inet)
returns table (actor_id uuid, kind actor_kind, name text, api_key_id uuid, scopes text[], exceeded text)
language sql stable parallel safe as $$
    select case when key.exceeded is null then actor.actor_id end, actor.kind, actor.name, key.api_key_id, key.scopes,
           key.exceeded
    from (select api_key_id, actor_id, scopes,
                 case when scopes is not null and (needed = '' or needed = any(scopes)) is not true
                          then 'insufficient_scope'
                      when allowed_networks is not null
                          and (address <<= any(allowed_networks::inet[])) is not true
                          then 'network_not_allowed' end as exceeded
          from api_keys
          where key_hash = hash and revoked_at is null and (expires_at is null or expires_at > now)) key
    join actors actor on actor.actor_id = key.actor_id
    where exists (select from memberships m where m.actor_id = key.actor_id and m.deactivated_at is null)
$$;

drop trigger tell_changed on api_keys;
create trigger tell_changed after update of key_hash, expires_at, revoked_at, actor_id, scopes, allowed_networks
on api_keys for each row
when ((old.key_hash, old.expires_at, old.revoked_at, old.actor_id, old.scopes, old.allowed_networks)
    is distinct from (new.key_hash, new.expires_at, new.revoked_at, new.actor_id, new.scopes, new.allowed_networks))
execute function tell_of_key();
