-- Deliveries that wait for the rooms of a space end when it is deleted.
create or replace function miss_deliveries_of_space() returns trigger
language plpgsql as $$
begin
    perform miss_deliveries(new.organization_id, array(select room_id from rooms where space_id = new.space_id));
    return null;
end $$;

create or replace trigger miss_deliveries after update of deleted_at on spaces
    for each row when (old.deleted_at is null and new.deleted_at is not null)
    execute function miss_deliveries_of_space();
