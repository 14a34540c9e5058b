-- Return the organizations of an actor whose policies do not allow the key now, null if there are none. Not in SQL, so
-- that statements prepare nothing for it: caller_of calls it only where there is a policy.
create or replace function barring_organizations(
    key uuid, actor uuid, kind actor_kind, made timestamptz, ends timestamptz, networks cidr[], now timestamptz)
returns uuid[] language plpgsql stable parallel safe as $$
begin
    return (
        select array_agg(p.organization_id)
        from memberships m join key_policies p using (organization_id)
        where m.actor_id = actor and m.deactivated_at is null
          and key_policy_reasons(rules_for(p, made, now), kind, m.role, made, ends, networks) <> '{}'
          and not exists (select from incoming_webhooks w where w.incoming_webhook_id = key));
end $$;
