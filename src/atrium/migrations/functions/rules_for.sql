-- Return the rules of a policy that a key must fit now; `made` is when its secret was made. Called by
-- barring_organizations, and when a policy is set.
create or replace function rules_for(policy key_policies, made timestamptz, now timestamptz) returns key_rules
language sql stable parallel safe as $$
    select case when policy.enforce_at <= now or made >= policy.set_at then policy.rules else policy.rules_before end
$$;
