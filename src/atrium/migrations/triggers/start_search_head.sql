-- Every room is indexed from its beginning.
create or replace function start_search_head() returns trigger
language plpgsql as $$
begin
    insert into search_heads (room_id) values (new.room_id);
    return null;
end $$;

create or replace trigger start_search_head after insert on room_heads
    for each row execute function start_search_head();
