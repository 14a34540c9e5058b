"""The SQL of imports of uploaded files, which the worker runs."""

_SHOWN = """
i.import_id, i.space_id, i.name, i.size, i.status, i.done, i.total, i.checked, i.counters, i.reason, i.created_by,
i.created_at, i.ended_at, case i.status when 'uploading' then coalesce(u.received, 0) else i.size end as received
"""

# Returns no row if the space is not one of the organization.
# Parameters: $1 import_id, $2 organization_id, $3 space_id, $4 name, $5 size (bytes), $6 created_by, $7 created_at,
# $8 due_at
# Returns: is_done
ADD = """
insert into imports (import_id, organization_id, space_id, name, size, created_by, created_at, due_at)
select $1, $2, $3, $4, $5, $6, $7, $8 from spaces
where space_id = $3 and organization_id = $2 and deleted_at is null
returning true as is_done
"""

# Parameters: $1 organization_id, $2 the last import_id before the page, $3 limit
# Returns: import_id, space_id, name, size, status, done, total, checked (JSON), counters (JSON), reason, created_by,
# created_at, ended_at, received (bytes)
IMPORTS = f"""
select {_SHOWN} from imports i left join uploads u on u.upload_id = i.import_id
where i.organization_id = $1 and i.import_id < $2 order by i.import_id desc limit $3
"""

# Parameters: $1 organization_id, $2 import_id
# Returns: import_id, space_id, name, size, status, done, total, checked (JSON), counters (JSON), reason, created_by,
# created_at, ended_at, received (bytes), parts, expires_at, is_finished
READ = f"""
select {_SHOWN}, coalesce(u.parts, 0) as parts, coalesce(u.expires_at, i.due_at) as expires_at,
       coalesce(u.finished_at is not null, true) as is_finished
from imports i left join uploads u on u.upload_id = i.import_id
where i.organization_id = $1 and i.import_id = $2
"""

# Parameters: $1 import_id
LOCK = "select from imports where import_id = $1 for no key update"

# Parameters: $1 import_id, $2 due_at
DEFER = "update imports set due_at = $2 where import_id = $1 and status = 'uploading'"

# Parameters: $1 import_id, $2 the status before, $3 the status after, $4 due_at
# Returns: is_done
MOVE = """
update imports set status = $3, due_at = $4, done = 0, total = 0, attempts = 0, reason = null
where import_id = $1 and status = $2 returning true as is_done
"""

# Parameters: $1 import_id, $2 ended_at
# Returns: is_done
CANCEL = """
update imports set status = 'canceled', claim = null, ended_at = $2 where import_id = $1 and ended_at is null
returning true as is_done
"""

# Take the import of the next organization that is due longest: to check it, to run it, or to end it because nobody
# continued it before the time up to which data expires. Organizations take turns.
# Parameters: $1 now, $2 due_at of the claim, $3 claim, $4 organization_ids, the one served last at the end
# Returns: import_id, organization_id, space_id, name, size, status, attempts, checked (JSON), counters (JSON)
CLAIM = """
update imports i set claim = $3, due_at = $2, attempts = attempts + 1
from (select import_id from imports where ended_at is null and due_at <= $1
        and (status not in ('uploading', 'ready') or due_at <= (select until from removal))
      order by array_position($4::uuid[], organization_id) nulls first, due_at limit 1 for update skip locked) next
where i.import_id = next.import_id
returning i.import_id, i.organization_id, i.space_id, i.name, i.size, i.status, i.attempts, i.checked, i.counters
"""

# Parameters: $1 import_id, $2 claim, $3 due_at, $4 done, $5 total
# Returns: is_done
RENEW = """
update imports set due_at = $3, done = $4, total = $5 where import_id = $1 and claim = $2 returning true as is_done
"""

# Parameters: $1 import_id, $2 claim, $3 counters (JSON)
# Returns: is_done
RECORD = "update imports set counters = $3 where import_id = $1 and claim = $2 returning true as is_done"

# Parameters: $1 import_id, $2 claim, $3 due_at, $4 attempts, $5 reason
RELEASE = "update imports set claim = null, due_at = $3, attempts = $4, reason = $5 where import_id = $1 and claim = $2"

# Parameters: $1 import_id, $2 claim, $3 due_at, $4 checked (JSON)
# Returns: is_done
READY = """
update imports set status = 'ready', claim = null, due_at = $3, checked = $4, attempts = 0, reason = null
where import_id = $1 and claim = $2 returning true as is_done
"""

# Parameters: $1 import_id, $2 claim, $3 ended_at, $4 status, $5 reason, $6 counters (JSON) or null for those recorded
# Returns: is_done
END = """
update imports set status = $4, claim = null, ended_at = $3, reason = $5, counters = coalesce($6::jsonb, counters)
where import_id = $1 and claim = $2 returning true as is_done
"""

# Which email addresses have an account.
# Parameters: $1 lower-case emails
# Returns: email
KNOWN_EMAILS = "select lower(email) as email from people where lower(email) = any($1::text[])"

# Parameters: $1 room_id, $2 message_ids
# Returns: count
COUNT_MESSAGES = "select count(*) as count from messages where room_id = $1 and message_id = any($2::uuid[])"
