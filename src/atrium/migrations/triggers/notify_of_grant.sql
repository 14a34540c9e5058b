-- A role in a space decides access, and is a live event of the space. Nobody loses a role in a space that was deleted
-- before.
create or replace function notify_of_grant() returns trigger
language plpgsql as $$
declare
    held space_grants := coalesce(new, old);
begin
    if not exists (select from spaces s where s.space_id = held.space_id and s.deleted_at is null) then
        return null;
    end if;
    perform emit_access(held.actor_id, (select s.organization_id from spaces s where s.space_id = held.space_id));
    insert into live_events (kind, space_id, data)
    values ('space_member.' || case tg_op when 'INSERT' then 'added' when 'DELETE' then 'removed' else 'updated' end,
            held.space_id, jsonb_build_object('space_id', held.space_id, 'actor_id', held.actor_id,
                'granted', case when tg_op <> 'DELETE' then held.role end));
    return null;
end $$;

create or replace trigger notify_added after insert on space_grants
    for each row execute function notify_of_grant();
create or replace trigger notify_removed after delete on space_grants
    for each row execute function notify_of_grant();
create or replace trigger notify_changed after update on space_grants
    for each row when (old.role is distinct from new.role) execute function notify_of_grant();
