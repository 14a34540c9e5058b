-- The subjects of deleted subscriptions get another version, or none if they have no words left. Their rows in
-- filter_words are deleted with them.
create or replace function remove_filter_words() returns trigger
language plpgsql as $$
begin
    update filtered_subjects f set version = gen_random_uuid()
    where f.subject_id in (select subject_id from changed where words is not null);
    delete from filtered_subjects f
    where f.subject_id in (select subject_id from changed where words is not null)
      and not exists (select from subscriptions s where s.subject_id = f.subject_id and s.words is not null);
    return null;
end $$;

create or replace trigger remove_filter_words after delete on subscriptions
    referencing old table as changed for each statement execute function remove_filter_words();
