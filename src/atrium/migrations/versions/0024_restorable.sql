-- pg_dump restores with an empty search path, and logical replication applies rows with one. So what a generated column
-- calls names its schema.
do $$
begin
    execute replace(
        pg_get_functiondef('render_message'::regproc), 'json_time(', quote_ident(current_schema()) || '.json_time('
    );
end $$;

-- A table without a primary key that is published cannot be changed otherwise. Each has one row.
alter table live_origin replica identity full;
alter table search_generation replica identity full;
