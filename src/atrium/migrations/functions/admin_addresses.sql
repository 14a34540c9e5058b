-- Return the addresses of the active admins of an organization, for mails about its keys and webhooks.
create or replace function admin_addresses(organization uuid) returns setof text
language sql stable as $$
    select p.email from memberships m join people p on p.person_id = m.actor_id
    where m.organization_id = organization and m.role >= 'admin' and m.deactivated_at is null and p.email is not null
    order by p.email
$$;
