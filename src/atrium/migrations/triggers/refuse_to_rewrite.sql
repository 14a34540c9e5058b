-- The audit log is append-only: nothing is changed, and only forget_audit_entries deletes.
create or replace function refuse_to_rewrite() returns trigger
language plpgsql as $$
begin
    if tg_op = 'DELETE' and current_setting('atrium.forgetting', true) = 'on' then
        return null;
    end if;
    raise exception 'the audit trail is append-only' using errcode = 'insufficient_privilege';
end $$;

create or replace trigger append_only before update or delete or truncate on audit_entries
    for each statement execute function refuse_to_rewrite();
