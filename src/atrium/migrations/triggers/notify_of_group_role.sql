-- A role of a group concerns all its members, so all streams of the organization read their access again.
create or replace function notify_of_group_role() returns trigger
language plpgsql as $$
declare
    held space_group_grants := coalesce(new, old);
begin
    perform emit_access(null, (select s.organization_id from spaces s where s.space_id = held.space_id));
    return null;
end $$;

create or replace trigger notify_changed after insert or update or delete on space_group_grants
    for each row execute function notify_of_group_role();
