-- Deliveries that wait for a room end when it is deleted.
create or replace function miss_deliveries_of_room() returns trigger
language plpgsql as $$
begin
    perform miss_deliveries(s.organization_id, array[new.room_id]) from spaces s where s.space_id = new.space_id;
    return null;
end $$;

create or replace trigger miss_deliveries after update of deleted_at on rooms
    for each row when (old.deleted_at is null and new.deleted_at is not null)
    execute function miss_deliveries_of_room();
