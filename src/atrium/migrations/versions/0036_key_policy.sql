-- What an organization allows of keys. The first three rules apply to new keys, and from `enforce_at` to all; those that
-- apply to all keys until then are the rules that were in force before, unless the new ones are looser.
create type personal_keys_rule as enum ('none', 'admins', 'allowed');
create table key_policies (
    organization_id uuid primary key references organizations,
    max_lifetime_days integer,
    personal_keys personal_keys_rule not null,
    require_networks boolean not null,
    set_at timestamptz not null,
    enforce_at timestamptz not null,
    enforced_lifetime_days integer,
    enforced_personal_keys personal_keys_rule not null,
    enforced_networks boolean not null
);

-- When the key's secret was made, if it was rotated; else `created_at`.
alter table api_keys add column issued_at timestamptz;

-- When the policy of the organization was set, null without one: `caller_of` reads policies only where there is one. A
-- change tells open event streams to read their access again.
alter table memberships add column key_policy_at timestamptz;

-- A new member, also one that is added while the policy is set: the lock waits for that.
create function note_key_policy() returns trigger language plpgsql as $$
begin
    if new.key_policy_at is null then
        perform from organizations where organization_id = new.organization_id for key share;
        new.key_policy_at := (select set_at from key_policies where organization_id = new.organization_id);
    end if;
    return new;
end $$;
create trigger note_key_policy before insert on memberships for each row execute function note_key_policy();

-- Why rules do not allow a key: none if they do. `made` is when its secret was made, `held` the role of its actor.
create function key_policy_reasons(
    days integer, personal personal_keys_rule, with_networks boolean, kind actor_kind, held organization_role,
    made timestamptz, ends timestamptz, networks cidr[])
returns text[] language sql stable parallel safe as $$
    select array_remove(array[
        case when days is not null and (ends is null or ends > made + make_interval(hours => 24 * days))
                 then 'max_lifetime' end,
        case when kind = 'person' and (personal = 'none' or personal = 'admins' and held < 'admin')
                 then 'personal_keys' end,
        case when with_networks and networks is null then 'networks' end], null)
$$;

-- The caller with a key that works. If the key is too narrow for the request, or if a policy does not allow the key of
-- an integration, `actor_id` is null and `exceeded` is the code of the error. `barred` are the organizations whose
-- policies do not allow the personal key, null if there are none. Sessions and incoming webhooks have no policy.
create function caller_of(hash bytea, now timestamptz, needed text, address inet)
returns table (actor_id uuid, kind actor_kind, name text, api_key_id uuid, scopes text[], exceeded text, barred uuid[])
language sql stable parallel safe as $$
    select case when key.exceeded is null and not (actor.kind = 'integration' and member.barred is not null)
                then actor.actor_id end,
           actor.kind, actor.name, key.api_key_id, key.scopes,
           coalesce(key.exceeded,
                    case when actor.kind = 'integration' and member.barred is not null then 'key_policy' end),
           member.barred
    from (select k.*,
                 case when scopes is not null and (needed = '' or needed = any(scopes)) is not true
                          then 'insufficient_scope'
                      when allowed_networks is not null
                          and (address <<= any(allowed_networks::inet[])) is not true
                          then 'network_not_allowed' end as exceeded
          from api_keys k
          where key_hash = hash and revoked_at is null and (expires_at is null or expires_at > now)) key
    join actors actor on actor.actor_id = key.actor_id
    join lateral (
        select count(*) as active,
               array_agg(m.organization_id) filter (where case
                   when m.key_policy_at is not null and not key.is_session then exists (
                       select from key_policies p
                       where p.organization_id = m.organization_id
                         and (key_policy_reasons(
                                  p.enforced_lifetime_days, p.enforced_personal_keys, p.enforced_networks, actor.kind,
                                  m.role, coalesce(key.issued_at, key.created_at), key.expires_at,
                                  key.allowed_networks) <> '{}'
                              or (p.enforce_at <= now or coalesce(key.issued_at, key.created_at) >= p.set_at)
                                 and key_policy_reasons(
                                  p.max_lifetime_days, p.personal_keys, p.require_networks, actor.kind,
                                  m.role, coalesce(key.issued_at, key.created_at), key.expires_at,
                                  key.allowed_networks) <> '{}')
                         and not exists (
                             select from incoming_webhooks w where w.incoming_webhook_id = key.api_key_id)) end) as barred
        from memberships m where m.actor_id = key.actor_id and m.deactivated_at is null) member on member.active > 0
$$;

-- For processes of the release before, whose statements have no column for `barred`.
create or replace function bearer(hash bytea, now timestamptz, needed text, address inet)
returns table (actor_id uuid, kind actor_kind, name text, api_key_id uuid, scopes text[], exceeded text)
language sql stable parallel safe as $$
    select actor_id, kind, name, api_key_id, scopes, exceeded from caller_of(hash, now, needed, address)
$$;
