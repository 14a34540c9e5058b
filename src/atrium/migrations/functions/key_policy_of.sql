-- Return the policy of an organization, one without rules if it has none. Called when a policy is set.
create or replace function key_policy_of(organization uuid, now timestamptz) returns key_policies
language sql stable parallel safe as $$
    select coalesce((select p from key_policies p where p.organization_id = organization),
                    row(organization, row(null, 'allowed', false), now, now, row(null, 'allowed', false))::key_policies)
$$;
