-- Return the policy of an organization as it is after `new_rules` are set, enforced at the `wanted` time, or in 30 days.
-- What is in force stays so, except where the new rules are looser: these apply immediately to all keys. The same rules
-- without another time change nothing. Called when a policy is set or previewed.
create or replace function next_key_policy(organization uuid, new_rules key_rules, wanted timestamptz, now timestamptz)
returns key_policies
language sql stable parallel safe as $$
    select row(organization, new_rules, case when is_same then current.set_at else now end,
               case when is_same and (wanted is null or in_force = new_rules) then current.enforce_at
                    when in_force = new_rules then now
                    else greatest(coalesce(wanted, now + interval '30 days'), now) end,
               in_force)::key_policies
    from key_policy_of(organization, now) current
    cross join lateral (select looser_of(rules_for(current, '-infinity', now), new_rules) as in_force,
                               current.rules = new_rules as is_same) known
$$;
