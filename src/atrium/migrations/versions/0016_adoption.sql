-- When the owner of an account's address showed that they read its mail. Until then somebody else may have made the
-- account, and hold keys to it.
alter table people add column mailbox_proven_at timestamptz;

-- An account that an identity provider vouched for, and the first one of a server, which its operator made.
update people p set mailbox_proven_at = coalesce(
    (select min(i.created_at) from identities i where i.person_id = p.person_id),
    (select a.created_at from actors a where a.actor_id = p.person_id))
where exists (select from identities i where i.person_id = p.person_id)
   or exists (select from audit_entries e where e.action = 'organization.created'
              and e.after->'super_admin'->>'person_id' = p.person_id::text);

-- A membership that another organization gave to an address whose account is not proven: no access until it is. The value
-- is what `active` will be then; null for every other membership.
alter table memberships add column active_when_proven boolean;
alter table memberships add constraint unproven_has_no_access
    check (active_when_proven is null or deactivated_at is not null);
create index memberships_that_wait on memberships (actor_id) where active_when_proven is not null;

-- Whether using the link shows that its user reads the mail of the address: not where administrators read that mail too.
alter table sign_in_links add column proves_mailbox boolean not null default false;

-- The token in the mail, where it differs from the one that the inviting administrator was shown.
alter table invitations add column mail_token_hash bytea unique;

-- As before, but that a user who is to be active as soon as the mailbox is proven is shown as active to the directory.
create or replace view directory as
select d.organization_id, d.user_id as id, d.user_name_key, d.external_key, d.display_key, d.email_keys,
       d.attributes::text, d.provisioned, m.role, coalesce(m.active_when_proven, m.deactivated_at is null) as active,
       d.created_at, greatest(d.updated_at, m.deactivated_at) as updated_at,
       (select json_agg(json_build_object('value', g.group_id, 'display', g.attributes->>'displayName',
                                          'type', 'direct') order by g.group_id)
        from group_members gm join groups g using (group_id)
        where gm.actor_id = d.user_id and gm.organization_id = d.organization_id)::text as groups
from directory_users d join memberships m on m.actor_id = d.user_id and m.organization_id = d.organization_id;
