-- The users of an organization's directory as SCIM shows them. A user who becomes active as soon as the mailbox is
-- proven is shown as active.
drop view if exists directory; -- which could not lose a column otherwise
create view directory as
select d.organization_id, d.user_id as id, d.user_name_key, d.external_key, d.display_key, d.email_keys,
       d.attributes::text, d.provisioned, m.role, coalesce(m.active_when_proven, m.deactivated_at is null) as active,
       d.created_at, greatest(d.updated_at, m.deactivated_at) as updated_at,
       (select json_agg(json_build_object('value', g.group_id, 'display', g.attributes->>'displayName',
                                          'type', 'direct') order by g.group_id)
        from group_members gm join groups g using (group_id)
        where gm.actor_id = d.user_id and gm.organization_id = d.organization_id)::text as groups
from directory_users d join memberships m on m.actor_id = d.user_id and m.organization_id = d.organization_id;
