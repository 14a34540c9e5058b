-- Write the live event of a change of access: streams read again what they reach before they send anything else. For
-- the streams of one actor, or for all of an organization if `actor` is null. Called by all triggers on what decides
-- access.
create or replace function emit_access(actor uuid, organization uuid) returns void
language sql as $$
    insert into live_events (kind, actor_id, organization_id, data)
    values ('access.changed', actor, organization, jsonb_build_object('organization_id', organization))
$$;
