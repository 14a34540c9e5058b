"""The SQL of the audit log."""

from atrium.kit.postgres import locks

# Parameters: $1 entry_id, $2 organization_id, $3 at, $4 actor_kind, $5 actor_id, $6 actor_name, $7 api_key_id,
# $8 address, $9 request_id, $10 action, $11 target_kind, $12 target_id, $13 target_name, $14 before (JSON), $15 after
# (JSON)
ADD = """
insert into audit_entries (entry_id, organization_id, at, actor_kind, actor_id, actor_name, api_key_id, address,
                           request_id, action, target_kind, target_id, target_name, before, after)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
"""

# A change of a person's own account is recorded in each organization that they belong to; of a person who is
# deactivated everywhere, in those organizations. Pending memberships do not count.
# Parameters: $1 at, $2 actor_kind, $3 actor_id, $4 actor_name, $5 api_key_id, $6 address, $7 request_id, $8 action,
# $9 target_kind, $10 target_id, $11 target_name, $12 before (JSON), $13 after (JSON), $14 the actor_id whose
# organizations get the entry
ADD_TO_OWN = """
insert into audit_entries (entry_id, organization_id, at, actor_kind, actor_id, actor_name, api_key_id, address,
                           request_id, action, target_kind, target_id, target_name, before, after)
select id_at((extract(epoch from $1::timestamptz) * 1000)::bigint << 12), organization_id, $1, $2, $3, $4, $5, $6, $7,
       $8, $9, $10, $11, $12, $13
from memberships where actor_id = $14 and active_when_proven is null and (deactivated_at is null or not exists (
    select from memberships other where other.actor_id = $14 and other.deactivated_at is null))
"""

# Let nobody else change a subject until the end of the transaction, so that what an entry shows as before is what was
# there before.
# Parameters: $1 the id of the subject
LOCK_SUBJECT = f"select pg_advisory_xact_lock({locks.SUBJECT}, hashtext($1::uuid::text))"

# Record a rejected request for the owner of its key, even a key that no longer works, in the organization of the path,
# else the owner's. At most one entry per minute for the same key, route, target and error, and a hundred per key. For a
# key that no longer works, the target does not count. LOCK_REFUSED serializes concurrent attempts. The actor is named
# for the index audit_entries_by_actor: other keys may have caused thousands of entries in the last minute.
# Parameters: $1 key_hash
LOCK_REFUSED = "select pg_advisory_xact_lock(hashtextextended(encode($1, 'hex'), 7362))"

# Parameters: $1 key_hash, $2 at, $3 address, $4 request_id, $5 target_kind, $6 target_id, $7 after (JSON), $8 whether
# every target counts as the same
ADD_REFUSED = """
insert into audit_entries (entry_id, organization_id, at, actor_kind, actor_id, actor_name, api_key_id, address,
                           request_id, action, target_kind, target_id, target_name, before, after)
select id_at(ms_of($2) << 12), place.organization_id, $2, actor.kind::text,
       actor.actor_id, actor.name, key.api_key_id, $3, $4, 'request.refused', $5, $6, null, null, $7
from api_keys key join actors actor using (actor_id)
cross join lateral (
    select coalesce(
        (select organization_id from organizations where organization_id = $6),
        (select organization_id from spaces where space_id = $6),
        (select s.organization_id from rooms r join spaces s using (space_id) where r.room_id = $6),
        (select organization_id from integrations where integration_id = actor.actor_id),
        (select m.organization_id from memberships m where m.actor_id = actor.actor_id
           and m.active_when_proven is null
         order by m.deactivated_at nulls first, m.created_at limit 1)) as organization_id) place
where key.key_hash = $1
  and exists (select from memberships m where m.actor_id = key.actor_id and m.organization_id = place.organization_id
              and m.active_when_proven is null)
  and not exists (
      select from audit_entries seen
      where seen.organization_id = place.organization_id
        and seen.entry_id > id_floor(ms_of($2) - 60000) and seen.entry_id < id_floor(ms_of($2) + 60000)
        and seen.actor_id = key.actor_id and seen.api_key_id = key.api_key_id and seen.action = 'request.refused'
        and (seen.target_id is not distinct from $6 or $8) and seen.after = $7)
  and 100 > (
      select count(*) from audit_entries seen
      where seen.organization_id = place.organization_id
        and seen.entry_id > id_floor(ms_of($2) - 60000) and seen.entry_id < id_floor(ms_of($2) + 60000)
        and seen.actor_id = key.actor_id and seen.api_key_id = key.api_key_id and seen.action = 'request.refused')
"""

# Parameters: $1 organization_id, $2 the last entry_id of the previous page, $3 action or its first part, or null,
# $4 actor_id or null, $5 target_id or null, $6 api_key_id or null, $7 since (ms), $8 until (ms), $9 limit
# Returns: entry (JSON)
ENTRIES = """
select audit_entry_json(e) as entry
from audit_entries e
where organization_id = $1 and entry_id < $2
  and ($3::text is null or action = $3 or starts_with(action, $3 || '.'))
  and ($4::uuid is null or actor_id = $4) and ($5::uuid is null or target_id = $5)
  and ($6::uuid is null or api_key_id = $6)
  and entry_id >= id_floor($7) and entry_id < id_floor($8)
order by entry_id desc limit $9
"""

# Parameters: $1 the earliest time to keep
# Returns: forget_audit_entries
DELETE_OLD = "select forget_audit_entries($1)"
