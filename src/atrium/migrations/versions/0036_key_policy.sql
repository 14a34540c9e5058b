-- What an organization allows of keys. The first three rules apply to new keys, and from `enforce_at` to all; those that
-- apply to all keys until then are the rules that were in force before, unless the new ones are looser. `earlier` are
-- rules of policies that were replaced before their `enforce_at`: each stops keys that were made since it was set.
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
    enforced_networks boolean not null,
    earlier jsonb not null
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

-- Whether networks limit from where a key may be used: one wider than /8 (IPv4) or /16 (IPv6) does not.
create function are_limit(networks cidr[]) returns boolean language sql immutable parallel safe as $$
    select networks is not null and not exists (
        select from unnest(networks) network
        where masklen(network) < case family(network) when 4 then 8 else 16 end)
$$;

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
        case when with_networks and not are_limit(networks) then 'networks' end], null)
$$;

-- Whether one of the rules in `key_policies.earlier` stops a key.
create function earlier_rules_stop(
    earlier jsonb, kind actor_kind, held organization_role, made timestamptz, ends timestamptz, networks cidr[])
returns boolean language sql stable parallel safe as $$
    select exists (
        select from jsonb_to_recordset(earlier) as rules (since timestamptz, days integer, personal personal_keys_rule,
                                                          with_networks boolean)
        where made >= since and key_policy_reasons(days, personal, with_networks, kind, held, made, ends, networks) <> '{}')
$$;

-- The organizations of an actor whose policies do not allow the key now, null if there are none. Not in SQL, so that
-- statements prepare nothing for it: it is called only where there is a policy.
create function barring_organizations(
    key uuid, actor uuid, kind actor_kind, made timestamptz, ends timestamptz, networks cidr[], now timestamptz)
returns uuid[] language plpgsql stable parallel safe as $$
begin
    return (
        select array_agg(p.organization_id)
        from memberships m join key_policies p using (organization_id)
        where m.actor_id = actor and m.deactivated_at is null
          and (key_policy_reasons(p.enforced_lifetime_days, p.enforced_personal_keys, p.enforced_networks, kind, m.role,
                                  made, ends, networks) <> '{}'
               or earlier_rules_stop(p.earlier, kind, m.role, made, ends, networks)
               or (p.enforce_at <= now or made >= p.set_at)
                  and key_policy_reasons(p.max_lifetime_days, p.personal_keys, p.require_networks, kind, m.role,
                                         made, ends, networks) <> '{}')
          and not exists (select from incoming_webhooks w where w.incoming_webhook_id = key));
end $$;

-- The caller with a key that works. If the key is too narrow for the request, or if a policy does not allow the key of
-- an integration, `actor_id` is null and `exceeded` is the code of the error. `barred` are the organizations whose
-- policies do not allow the personal key, null if there are none. Sessions and incoming webhooks have no policy. Without
-- policies this reads one more index than before: that of the actor's memberships, whose pages are at hand.
create function caller_of(hash bytea, now timestamptz, needed text, address inet)
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
                         key.expires_at, key.allowed_networks, now) end as barred
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

-- For processes of the release before, whose statements have no column for `barred`.
create or replace function bearer(hash bytea, now timestamptz, needed text, address inet)
returns table (actor_id uuid, kind actor_kind, name text, api_key_id uuid, scopes text[], exceeded text)
language sql stable parallel safe as $$
    select actor_id, kind, name, api_key_id, scopes, exceeded from caller_of(hash, now, needed, address)
$$;
