-- Every new member that is a person becomes a user of the organization's directory. An organization that adds the
-- account of another one gets no name and no address but those that it gave.
create or replace function directory_user_of_member() returns trigger
language plpgsql as $$
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

create or replace trigger directory_user_of_member after insert on memberships
    for each row execute function directory_user_of_member();
