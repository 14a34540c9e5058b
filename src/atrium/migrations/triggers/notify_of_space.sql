-- A space decides access, and is a live event. Nobody reaches a deleted space: the change of access shows that it is
-- gone.
create or replace function notify_of_space() returns trigger
language plpgsql as $$
begin
    if tg_op = 'INSERT' or old.visibility <> new.visibility or old.deleted_at is distinct from new.deleted_at then
        perform emit_access(null, new.organization_id);
    end if;
    if new.deleted_at is null then
        insert into live_events (kind, space_id, data)
        values (case tg_op when 'INSERT' then 'space.created' else 'space.updated' end, new.space_id, space_json(new));
    end if;
    return null;
end $$;

create or replace trigger notify_added after insert on spaces
    for each row execute function notify_of_space();
create or replace trigger notify_changed after update on spaces
    for each row when (old is distinct from new) execute function notify_of_space();
