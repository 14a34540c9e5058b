-- When a mail about its expiry was last queued, or its expiry last set; null for never.
alter table api_keys add column expiry_mailed_at timestamptz;
create index api_keys_by_expiry on api_keys (expires_at) where revoked_at is null and not is_session;

-- The addresses of the active admins of an organization.
create function admin_addresses(organization uuid) returns setof text
language sql stable as $$
    select p.email from memberships m join people p on p.person_id = m.actor_id
    where m.organization_id = organization and m.role >= 'admin' and m.deactivated_at is null and p.email is not null
    order by p.email
$$;
