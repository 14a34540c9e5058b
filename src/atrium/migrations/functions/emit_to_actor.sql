-- Write a live event for one actor. If it names a space, the actor gets it only while they reach the space. Called for
-- read markers, and by the trigger on keys.
create or replace function emit_to_actor(kind text, actor uuid, organization uuid, space uuid, room uuid, data jsonb)
returns void language sql as $$
    insert into live_events (kind, actor_id, organization_id, space_id, room_id, data)
    values (kind, actor, organization, space, room, data)
$$;
