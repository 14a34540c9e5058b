"""The SQL of imports."""

from atrium.kit.postgres import locks

# Parameters: $1 organization_id, $2 space_id
# Returns: has_organization, space_of
DESTINATION = """
select exists (select from organizations where organization_id = $1) as has_organization,
       (select organization_id from spaces where space_id = $2 and deleted_at is null) as space_of
"""

# Parameters: $1 target_id
# Returns: pg_try_advisory_lock
TRY_LOCK = f"select pg_try_advisory_lock({locks.IMPORT}, hashtext($1::uuid::text))"

# Parameters: $1 target_id
LOCK = f"select pg_advisory_lock({locks.IMPORT}, hashtext($1::uuid::text))"

# Parameters: $1 target_id
# Returns: pg_advisory_unlock
UNLOCK = f"select pg_advisory_unlock({locks.IMPORT}, hashtext($1::uuid::text))"

# Parameters: $1 scope_id, $2 source, $3 external_ids
# Returns: external_id, internal_id
KNOWN = """
select external_id, internal_id from imported
where scope_id = $1 and source = $2 and external_id = any($3::text[])
"""

# Only rooms that still exist: a room that was deleted since is imported again.
# Parameters: $1 scope_id, $2 source, $3 external_ids
# Returns: external_id, room_id, space_id
KNOWN_ROOMS = """
select i.external_id, r.room_id, r.space_id
from imported i join rooms r on r.room_id = i.internal_id join spaces s using (space_id)
where i.scope_id = $1 and i.source = $2 and i.external_id = any($3::text[])
  and r.deleted_at is null and s.deleted_at is null
"""

# Parameters: $1 scope_id, $2 source, $3 external_id, $4 internal_id
ADD_IMPORTED = """
insert into imported (scope_id, source, external_id, internal_id) values ($1, $2, $3, $4)
on conflict (scope_id, source, external_id) do update set internal_id = excluded.internal_id
"""

# Parameters: $1 scope_id, $2 source, $3 external_id, $4 actor_id, $5 name, $6 email, $7 created_at, $8 deactivated_at
# or null
ADD_PERSON = """
with actor as (
    insert into actors (actor_id, kind, name, created_at) values ($4, 'person', $5, $7)
), person as (
    insert into people (person_id, email) values ($4, $6)
), member as (
    insert into memberships (actor_id, organization_id, role, created_at, deactivated_at)
    values ($4, $1, 'member', $7, $8::timestamptz)
)
insert into imported (scope_id, source, external_id, internal_id) values ($1, $2, $3, $4)
"""

# Parameters: $1 scope_id, $2 source, $3 external_id, $4 actor_id, $5 name, $6 description, $7 created_at,
# $8 deactivated_at or null
ADD_BOT = """
with actor as (
    insert into actors (actor_id, kind, name, created_at) values ($4, 'integration', $5, $7)
), integration as (
    insert into integrations (integration_id, organization_id, description) values ($4, $1, $6)
), member as (
    insert into memberships (actor_id, organization_id, role, created_at, deactivated_at)
    values ($4, $1, 'member', $7, $8::timestamptz)
)
insert into imported (scope_id, source, external_id, internal_id) values ($1, $2, $3, $4)
"""

# A later export may know the name of people whose ids alone were known before.
# Parameters: $1 scope_id, $2 source, $3 external_ids, $4 the ids as names, $5 names
BETTER_NAMES = """
update actors a set name = better.name
from unnest($3::text[], $4::text[], $5::text[]) as better (external_id, id_as_name, name)
join imported i on i.scope_id = $1 and i.source = $2 and i.external_id = better.external_id
where a.actor_id = i.internal_id and a.name = better.id_as_name
"""

# Parameters: $1 room_id, $2 archived_at
ARCHIVE_ROOM = "update rooms set archived_at = $2 where room_id = $1"

# Parameters: $1 room_id, $2 created_at
LOWER_CREATED_AT = "update rooms set created_at = $2 where room_id = $1 and created_at > $2"

# Parameters: $1 room_id, $2 last_seq, $3 last_message_id
MOVE_HEAD = """
update room_heads set last_seq = greatest(last_seq, $2), last_message_id = greatest(last_message_id, $3)
where room_id = $1
"""

# Parameters: $1 room_id
NOTE_CHANGE = "select note_change($1)"

# Parameters: $1 room_id, $2 message_ids
# Returns: message_id, root_id
ROOTS = """
select message_id, coalesce(thread_root_id, message_id) as root_id from messages
where room_id = $1 and message_id = any($2::uuid[])
"""

# An existing message does not change, except that a reply whose root was missing joins its thread.
# Parameters: $1 room_id, $2 to $10 arrays: message_id, user_id, thread_root_id, text, blocks (JSON), mentions,
# reactions (JSON), sent_at, edited_at
# Returns: message_id, thread_root_id, added
ADD_MESSAGES = """
insert into messages (room_id, message_id, user_id, sender_type, parent_id, thread_root_id, text, blocks, mentions,
                      reactions, sent_at, edited_at)
select $1, m.message_id, m.user_id, a.kind, m.root_id, m.root_id, m.text, m.blocks, m.mentions::uuid[], m.reactions,
       m.sent_at, m.edited_at
from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::jsonb[], $7::text[], $8::jsonb[], $9::timestamptz[],
            $10::timestamptz[])
     as m (message_id, user_id, root_id, text, blocks, mentions, reactions, sent_at, edited_at)
join actors a on a.actor_id = m.user_id
order by m.message_id
on conflict (room_id, message_id) do update
set parent_id = excluded.parent_id, thread_root_id = excluded.thread_root_id
where messages.thread_root_id is null and messages.reply_count = 0 and excluded.thread_root_id is not null
returning message_id, thread_root_id, xmax = 0 as added
"""

# Counted again, so that the count is right after other replies meanwhile and after an interrupted import.
# Parameters: $1 room_id, $2 thread_root_ids
COUNT_REPLIES = """
update messages root set reply_count = replies.count, last_reply_at = replies.at
from (select thread_root_id, count(*)::int as count, max(sent_at) as at from messages
      where room_id = $1 and thread_root_id = any($2::uuid[]) group by thread_root_id) replies
where root.room_id = $1 and root.message_id = replies.thread_root_id and root.reply_count <> replies.count
"""
