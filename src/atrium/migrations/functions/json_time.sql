-- Return a time as JSON, null as well. Called for JSON that SQL writes.
create or replace function json_time(at timestamptz) returns text
language plpgsql immutable parallel safe as $$
begin
    return coalesce('"' || to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null');
end $$;
