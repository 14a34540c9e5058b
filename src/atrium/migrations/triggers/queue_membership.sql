-- People who join or leave an organization, or are deactivated or reactivated, are events for its webhooks. People who
-- wait to prove an address (`active_when_proven`) join when they do.
create or replace function queue_membership() returns trigger
language plpgsql as $$
declare
    member memberships := coalesce(new, old);
    event text := 'person_' || case when tg_op = 'DELETE' then 'removed' when tg_op = 'INSERT' then 'joined'
                                    when new.deactivated_at is not null then 'deactivated'
                                    when old.active_when_proven is not null then 'joined' else 'reactivated' end;
begin
    if is_subscribed(event, member.organization_id, null)
       and exists (select from people p where p.person_id = member.actor_id) then
        perform queue_event(event, 'organization', member.organization_id, null, null, ms_of(now()), jsonb_build_object(
            'organization_id', member.organization_id, 'person_id', member.actor_id, 'role', member.role)::text);
    end if;
    return null;
end $$;

create or replace trigger queue_joined after insert on memberships
    for each row when (new.deactivated_at is null) execute function queue_membership();
create or replace trigger queue_changed after update on memberships
    for each row when ((old.deactivated_at is null) <> (new.deactivated_at is null))
    execute function queue_membership();
create or replace trigger queue_removed after delete on memberships
    for each row when (old.active_when_proven is null) execute function queue_membership();
