-- The words of new subscriptions are written to filter_words, and their subjects get another version.
create or replace function add_filter_words() returns trigger
language plpgsql as $$
begin
    insert into filter_words (webhook_id, nr, word, subject_id)
    select distinct webhook_id, nr, unnest(words), subject_id from changed where words is not null;
    insert into filtered_subjects (subject_id)
    select distinct subject_id from changed where words is not null order by subject_id
    on conflict (subject_id) do update set version = excluded.version;
    return null;
end $$;

create or replace trigger add_filter_words after insert on subscriptions
    referencing new table as changed for each statement execute function add_filter_words();
