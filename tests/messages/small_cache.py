"""Lets messages be packed in a database whose tables fit into memory."""

# For the connections that are opened from then on: no table with rows fits into this.
SMALL_CACHE = """
do $$ begin
    execute format('alter database %I set effective_cache_size = %L', current_database(), '8kB');
end $$
"""
