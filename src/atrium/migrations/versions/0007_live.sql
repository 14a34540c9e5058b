-- What clients are told as it happens: one small row an event, kept a day and a little more. A row goes to one actor where
-- `actor_id` is set, else to all who reach `space_id`, else to all of `organization_id`.
--
-- `seq` is drawn under the lock of what changes (a room's head, a message), so that it rises within a room; `xid` says
-- from which snapshot on the row is seen. A reader asks for what was not visible in its last snapshot and is in this one:
-- so it gets each row once, however late it was committed.

create sequence live_events_seq;

create table live_events (
    seq bigint not null default nextval('live_events_seq'),
    xid xid8 not null default pg_current_xact_id(),
    at timestamptz not null default now(),
    space_id uuid,
    room_id uuid,
    message_id uuid,
    actor_id uuid,
    organization_id uuid,
    kind text not null,
    data jsonb
) partition by range (at);
create table live_events_other partition of live_events default;
create index live_events_by_xid on live_events (xid);

-- The rows that `upto` shows and `seen` did not: those in flight at `seen`, and those begun since.
create function live_unseen(seen pg_snapshot, upto pg_snapshot) returns setof live_events
language sql stable parallel safe as $$
    select e.* from live_events e
    where e.xid >= pg_snapshot_xmax(seen) and e.xid < pg_snapshot_xmax(upto) and pg_visible_in_snapshot(e.xid, upto)
    union all
    select e.* from live_events e
    where e.xid = any(array(select pg_snapshot_xip(seen))) and pg_visible_in_snapshot(e.xid, upto)
$$;

-- Which database a snapshot is of. One that was restored elsewhere counts its transactions anew, so what its log held
-- says nothing there any more.
create function live_identity() returns text language sql stable as $$
    select left(md5(system_identifier || '/' || (select oid from pg_database where datname = current_database())), 8)
    from pg_control_system()
$$;
create table live_origin (identity text not null);

-- Who types: a row per person and room, so that each is told of at most every few seconds. Of no worth after a crash.
create unlogged table typing (
    room_id uuid not null,
    actor_id uuid not null,
    at timestamptz not null,
    primary key (room_id, actor_id)
);

-- For whoever has something to tell one actor. Where a space is named, he is told only while he reaches it.
create function emit_to_actor(kind text, actor uuid, organization uuid, space uuid, room uuid, data jsonb) returns void
language sql as $$
    insert into live_events (kind, actor_id, organization_id, space_id, room_id, data)
    values (kind, actor, organization, space, room, data)
$$;

-- For every trigger on what decides access: streams look anew at what they reach before they are told of anything else.
-- One actor's streams, or all of an organization where `actor` is null.
create function emit_access(actor uuid, organization uuid) returns void language sql as $$
    insert into live_events (kind, actor_id, organization_id, data)
    values ('access.changed', actor, organization, jsonb_build_object('organization_id', organization))
$$;

create function tell_of_membership() returns trigger language plpgsql as $$
declare
    member memberships := coalesce(new, old);
begin
    perform emit_access(member.actor_id, member.organization_id);
    return null;
end $$;
create trigger tell_added after insert on memberships for each row execute function tell_of_membership();
create trigger tell_removed after delete on memberships for each row execute function tell_of_membership();
create trigger tell_changed after update on memberships for each row
    when (old is distinct from new) execute function tell_of_membership();

create function tell_of_grant() returns trigger language plpgsql as $$
declare
    held space_grants := coalesce(new, old);
begin
    perform emit_access(held.actor_id, (select s.organization_id from spaces s where s.space_id = held.space_id));
    insert into live_events (kind, space_id, data)
    values ('space_member.' || case tg_op when 'INSERT' then 'added' when 'DELETE' then 'removed' else 'updated' end,
            held.space_id, jsonb_build_object('space_id', held.space_id, 'actor_id', held.actor_id,
                'granted', case when tg_op <> 'DELETE' then held.role end));
    return null;
end $$;
create trigger tell_added after insert on space_grants for each row execute function tell_of_grant();
create trigger tell_removed after delete on space_grants for each row execute function tell_of_grant();
create trigger tell_changed after update on space_grants for each row
    when (old.role is distinct from new.role) execute function tell_of_grant();

-- A space that is gone is reached by nobody: that it went is told by the change of access.
create function tell_of_space() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' or old.visibility <> new.visibility or old.deleted_at is distinct from new.deleted_at then
        perform emit_access(null, new.organization_id);
    end if;
    if new.deleted_at is null then
        insert into live_events (kind, space_id, data)
        values (case tg_op when 'INSERT' then 'space.created' else 'space.updated' end, new.space_id, jsonb_build_object(
            'space_id', new.space_id, 'organization_id', new.organization_id, 'name', new.name,
            'description', new.description, 'visibility', new.visibility, 'created_by', new.created_by,
            'created_at', json_time(new.created_at)::jsonb));
    end if;
    return null;
end $$;
create trigger tell_added after insert on spaces for each row execute function tell_of_space();
create trigger tell_changed after update on spaces for each row
    when (old is distinct from new) execute function tell_of_space();

create function tell_of_room() returns trigger language plpgsql as $$
begin
    insert into live_events (kind, space_id, room_id, data)
    values ('room.' || case when tg_op = 'INSERT' then 'created' when new.deleted_at is not null then 'deleted'
                            when new.archived_at is not null and old.archived_at is null then 'archived'
                            else 'updated' end,
            new.space_id, new.room_id,
            jsonb_build_object('room_id', new.room_id, 'space_id', new.space_id) || case
                when new.deleted_at is not null then '{}' else jsonb_build_object(
                'organization_id', (select s.organization_id from spaces s where s.space_id = new.space_id),
                'name', new.name, 'description', new.description, 'room_type', new.room_type,
                'created_at', json_time(new.created_at)::jsonb, 'created_by', new.created_by,
                'archived_at', json_time(new.archived_at)::jsonb,
                'last_message_at', json_time((select time_of_ms(id_ms(h.last_message_id)) from room_heads h
                                              where h.room_id = new.room_id))::jsonb) end);
    return null;
end $$;
create trigger tell_added after insert on rooms for each row execute function tell_of_room();
create trigger tell_changed after update on rooms for each row when (
    (old.name, old.description, old.archived_at, old.deleted_at)
    is distinct from (new.name, new.description, new.archived_at, new.deleted_at)) execute function tell_of_room();

-- A key that stops ends its streams. That it was used is no such change.
create function tell_of_key() returns trigger language plpgsql as $$
begin
    perform emit_to_actor('key.changed', old.actor_id, null, null, null, null);
    return null;
end $$;
create trigger tell_removed after delete on api_keys for each row execute function tell_of_key();
create trigger tell_changed after update of key_hash, expires_at, revoked_at, actor_id on api_keys for each row when (
    (old.key_hash, old.expires_at, old.revoked_at, old.actor_id)
    is distinct from (new.key_hash, new.expires_at, new.revoked_at, new.actor_id)) execute function tell_of_key();

-- Partitions of a day each, as those of deliveries are kept: today's and tomorrow's are made, those of which all is
-- older than a day are dropped.
create function keep_live_events(now timestamptz) returns void language plpgsql as $$
declare
    day date;
    part text;
begin
    if not pg_try_advisory_xact_lock(4125874) then
        return;
    end if;
    perform set_config('lock_timeout', '500ms', true);
    if (select identity from live_origin) is distinct from live_identity() then
        delete from live_events;
        delete from live_origin;
        insert into live_origin values (live_identity());
    end if;
    for day in select generate_series(now::date, now::date + 1, interval '1 day')::date loop
        part := 'live_events_' || to_char(day, 'YYYYMMDD');
        if to_regclass(part) is null then
            begin
                execute format('create table %I (like live_events including all)', part);
                execute format('alter table live_events attach partition %I for values from (%L) to (%L)', part,
                    day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
            exception when lock_not_available or check_violation then null;
            end;
        end if;
    end loop;
    for part in select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
                where i.inhparent = 'live_events'::regclass and c.relname ~ '^live_events_[0-9]{8}$'
                  and to_date(right(c.relname, 8), 'YYYYMMDD') < now::date - 1 loop
        begin
            execute format('drop table %I', part);
        exception when lock_not_available then null;
        end;
    end loop;
    delete from live_events_other where at < now - interval '1 day';
    delete from typing where at < now - interval '1 minute';
end $$;
