-- People who join or leave an organization, or are deactivated or reactivated, are events for its webhooks. People who
-- wait to prove an address (`active_when_proven`) join when they do.
create or replace function log_membership() returns trigger
language plpgsql as $$
declare
    member memberships := coalesce(new, old);
begin
    insert into live_events (kind, organization_id, data)
    select 'person_' || case when tg_op = 'DELETE' then 'removed' when tg_op = 'INSERT' then 'joined'
                             when new.deactivated_at is not null then 'deactivated'
                             when old.active_when_proven is not null then 'joined' else 'reactivated' end,
           member.organization_id, jsonb_build_object(
               'organization_id', member.organization_id, 'person_id', person_id, 'role', member.role)
    from people where person_id = member.actor_id;
    return null;
end $$;

create or replace trigger log_joined after insert on memberships
    for each row when (new.deactivated_at is null) execute function log_membership();
create or replace trigger log_changed after update on memberships
    for each row when ((old.deactivated_at is null) <> (new.deactivated_at is null))
    execute function log_membership();
create or replace trigger log_removed after delete on memberships
    for each row when (old.active_when_proven is null) execute function log_membership();
