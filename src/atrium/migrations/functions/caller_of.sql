-- Return the caller with a key that works: no row if the key is unknown, expired or revoked, or its actor has no active
-- membership. `needed` is a scope, or null where a key with scopes never suffices, or '' where any key does. If the key
-- is too narrow for the request, or if a policy does not allow the key of an integration, `actor_id` is null and
-- `exceeded` is the code of the error. `barred` are the organizations in which the personal key is not allowed, by a
-- policy or because it was revoked there; null if there are none. Sessions and incoming webhooks have no policy. Called
-- for every request; without policies it reads one more index, that of the actor's memberships, whose pages are at
-- hand.
create or replace function caller_of(hash bytea, now timestamptz, needed text, address inet)
returns table (actor_id uuid, kind actor_kind, name text, api_key_id uuid, scopes text[], exceeded text, barred uuid[])
language sql stable parallel safe as $$
    select case when found.exceeded is null and not (found.kind = 'integration' and found.barred is not null)
                then found.actor_id end,
           found.kind, found.name, found.api_key_id, found.scopes,
           coalesce(found.exceeded,
                    case when found.kind = 'integration' and found.barred is not null then 'key_policy' end),
           found.barred
    from (select actor.actor_id, actor.kind, actor.name, key.api_key_id, key.scopes, key.exceeded,
                 case when not key.is_session and exists (
                          select from memberships m where m.actor_id = key.actor_id and m.key_policy_at is not null)
                     then barring_organizations(
                         key.api_key_id, actor.actor_id, actor.kind, coalesce(key.issued_at, key.created_at),
                         key.expires_at, key.allowed_networks, now) end || key.barred_in as barred
          from (select k.*,
                       case when scopes is not null and (needed = '' or needed = any(scopes)) is not true
                                then 'insufficient_scope'
                            when allowed_networks is not null
                                and (address <<= any(allowed_networks::inet[])) is not true
                                then 'network_not_allowed' end as exceeded
                from api_keys k
                where key_hash = hash and revoked_at is null and (expires_at is null or expires_at > now)) key
          join actors actor on actor.actor_id = key.actor_id
          where exists (select from memberships m where m.actor_id = key.actor_id and m.deactivated_at is null)
          offset 0) found
$$;
