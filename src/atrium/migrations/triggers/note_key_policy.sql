-- A new member gets `key_policy_at`, also one that is added while the policy is set: the lock waits for that.
create or replace function note_key_policy() returns trigger
language plpgsql as $$
begin
    if new.key_policy_at is null then
        perform from organizations where organization_id = new.organization_id for key share;
        new.key_policy_at := (select set_at from key_policies where organization_id = new.organization_id);
    end if;
    return new;
end $$;

create or replace trigger note_key_policy before insert on memberships
    for each row execute function note_key_policy();
