-- Members who leave a group change its version, also if they leave it with the organization.
create or replace function note_left_groups() returns trigger
language plpgsql as $$
begin
    update groups set version = version + 1, updated_at = greatest(updated_at, now())
    where group_id in (select group_id from gone);
    return null;
end $$;

create or replace trigger note_left_groups after delete on group_members
    referencing old table as gone for each statement execute function note_left_groups();
