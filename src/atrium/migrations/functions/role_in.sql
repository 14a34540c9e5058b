-- Return the role of an actor in a space, and its role in the space's organization; no row if it has no access.
-- Integrations never inherit a role and are in no group. People who are admins are admin everywhere, members are member
-- of open spaces, and each has the highest of the roles that were given to them and to their groups. What groups give
-- is looked up only for those for whom it can matter. Called by all statements about spaces and what is in them.
create or replace function role_in(actor uuid, actor_is actor_kind, space uuid)
returns table (organization_id uuid, organization_role organization_role, role space_role)
language sql stable parallel safe as $$
    select found.organization_id, found.organization_role, found.role
    from (select s.organization_id, m.role as organization_role,
                 case when actor_is = 'integration' then g.role
                      when m.role >= 'admin' then 'admin'
                      when s.visibility = 'open' and m.role >= 'member'
                          then greatest(g.role, by_group.role, 'member')
                      else greatest(g.role, by_group.role) end as role
          from spaces s
          join memberships m on m.actor_id = actor and m.organization_id = s.organization_id
          left join space_grants g on g.space_id = s.space_id and g.actor_id = actor
          left join lateral (
              select max(given.role) as role from group_members gm join space_group_grants given using (group_id)
              where gm.actor_id = actor and given.space_id = s.space_id
                and actor_is = 'person' and m.role < 'admin') by_group on true
          where s.space_id = space and s.deleted_at is null and m.deactivated_at is null) found
    where found.role is not null
$$;
