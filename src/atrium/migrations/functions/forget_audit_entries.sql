-- Delete the audit entries that the operator's retention setting does not keep, which the trigger `append_only` allows
-- here alone. Return how many there were. Called by the worker.
create or replace function forget_audit_entries(older_than timestamptz) returns bigint
language plpgsql as $$
declare
    gone bigint;
begin
    perform set_config('atrium.forgetting', 'on', true);
    delete from audit_entries where at < older_than;
    get diagnostics gone = row_count;
    perform set_config('atrium.forgetting', 'off', true);
    return gone;
end $$;
