-- A membership decides access.
create or replace function notify_of_membership() returns trigger
language plpgsql as $$
declare
    member memberships := coalesce(new, old);
begin
    perform emit_access(member.actor_id, member.organization_id);
    return null;
end $$;

create or replace trigger notify_added after insert on memberships
    for each row execute function notify_of_membership();
create or replace trigger notify_removed after delete on memberships
    for each row execute function notify_of_membership();
create or replace trigger notify_changed after update on memberships
    for each row when (old is distinct from new) execute function notify_of_membership();
