-- The name and the address by which an organization added the account of another one, until the owner accepts. It learns
-- no others before. Only the owner of that address can accept.
alter table memberships add column pending_name text, add column pending_email text;
update memberships m set pending_name = coalesce(d.attributes->>'displayName', d.attributes->>'userName', 'Unnamed user'),
                         pending_email = p.email
from directory_users d, people p
where m.active_when_proven is not null and p.person_id = m.actor_id
  and d.organization_id = m.organization_id and d.user_id = m.actor_id;

-- The address that the sign-in of the session proved, if any.
alter table sessions add column proven_email text;

-- The organizations in which an admin has revoked the personal key. It still works in the others of its owner.
alter table api_keys add column barred_in uuid[];
drop trigger tell_changed on api_keys;
create trigger tell_changed after update of key_hash, expires_at, revoked_at, actor_id, scopes, allowed_networks, barred_in
on api_keys for each row
when (old.key_hash is distinct from new.key_hash or old.expires_at is distinct from new.expires_at
      or old.revoked_at is distinct from new.revoked_at or old.actor_id is distinct from new.actor_id
      or old.scopes is distinct from new.scopes or old.allowed_networks is distinct from new.allowed_networks
      or old.barred_in is distinct from new.barred_in)
execute function tell_of_key();

-- The organization that an email is about. The admins of no other one see it.
alter table mails add column organization_id uuid;
create index mails_of_organizations on mails (organization_id, lower(recipient), created_at)
where organization_id is not null;
update mails set organization_id = i.organization_id from invitations i
where lower(i.email) = lower(recipient) and i.created_at = mails.created_at;

create or replace function caller_of(hash bytea, now timestamptz, needed text, address inet)
returns table (actor_id uuid, kind actor_kind, name text, api_key_id uuid, scopes text[], exceeded text, barred uuid[])
language sql stable parallel safe as $$
    select case when found.exceeded is null and not (found.kind = 'integration' and found.barred is not null)
                then found.actor_id end,
           found.kind, found.name, found.api_key_id, found.scopes,
           coalesce(found.exceeded,
                    case when found.kind = 'integration' and found.barred is not null then 'key_policy' end),
           found.barred
    from (select actor.actor_id, actor.kind, actor.name, key.api_key_id, key.scopes, key.exceeded,
                 case when not key.is_session and exists (
                          select from memberships m where m.actor_id = key.actor_id and m.key_policy_at is not null)
                     then barring_organizations(
                         key.api_key_id, actor.actor_id, actor.kind, coalesce(key.issued_at, key.created_at),
                         key.expires_at, key.allowed_networks, now) end || key.barred_in as barred
          from (select k.*,
                       case when scopes is not null and (needed = '' or needed = any(scopes)) is not true
                                then 'insufficient_scope'
                            when allowed_networks is not null
                                and (address <<= any(allowed_networks::inet[])) is not true
                                then 'network_not_allowed' end as exceeded
                from api_keys k
                where key_hash = hash and revoked_at is null and (expires_at is null or expires_at > now)) key
          join actors actor on actor.actor_id = key.actor_id
          where exists (select from memberships m where m.actor_id = key.actor_id and m.deactivated_at is null)
          offset 0) found
$$;

-- An organization that adds the account of another one gets no name and no address but those that it gave.
create or replace function directory_user_of_member() returns trigger language plpgsql as $$
declare
    person record;
    called text;
begin
    select coalesce(new.pending_email, p.email) as email, coalesce(new.pending_name, a.name) as name into person
    from people p join actors a on a.actor_id = p.person_id
    where p.person_id = new.actor_id;
    if not found then
        return null;
    end if;
    called := coalesce(person.email, new.actor_id::text);
    if exists (select from directory_users where organization_id = new.organization_id
               and user_name_key = lower(called)) then
        called := new.actor_id::text;
    end if;
    insert into directory_users (organization_id, user_id, user_name_key, display_key, email_keys, attributes,
                                 created_at, updated_at)
    values (new.organization_id, new.actor_id, lower(called), lower(person.name),
            case when person.email is null then '{}' else array[lower(person.email)] end,
            jsonb_build_object('userName', called, 'displayName', person.name, 'active', true) || case
                when person.email is null then '{}'
                else jsonb_build_object('emails', jsonb_build_array(
                    jsonb_build_object('value', person.email, 'type', 'work', 'primary', true))) end,
            new.created_at, new.created_at);
    return null;
end $$;
