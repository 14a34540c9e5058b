-- Return the rules that every key fits that fits one or the other, in each of them. Called when a policy is set.
create or replace function looser_of(one key_rules, other key_rules) returns key_rules
language sql immutable parallel safe as $$
    select row(case when one.max_lifetime_days is not null and other.max_lifetime_days is not null
                    then greatest(one.max_lifetime_days, other.max_lifetime_days) end,
               greatest(one.personal_keys, other.personal_keys),
               one.require_networks and other.require_networks)::key_rules
$$;
