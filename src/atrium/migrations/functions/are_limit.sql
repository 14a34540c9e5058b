-- Return whether networks limit from where a key may be used: one wider than /8 (IPv4) or /16 (IPv6) does not. Called
-- by key_policy_reasons.
create or replace function are_limit(networks cidr[]) returns boolean
language sql immutable parallel safe as $$
    select networks is not null and not exists (
        select from unnest(networks) network
        where masklen(network) < case family(network) when 4 then 8 else 16 end)
$$;
