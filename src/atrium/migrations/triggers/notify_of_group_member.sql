-- A member of a group has its roles.
create or replace function notify_of_group_member() returns trigger
language plpgsql as $$
declare
    member group_members := coalesce(new, old);
begin
    perform emit_access(member.actor_id, member.organization_id);
    return null;
end $$;

create or replace trigger notify_changed after insert or delete on group_members
    for each row execute function notify_of_group_member();
