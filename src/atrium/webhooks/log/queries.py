"""The SQL of delivery logs: read them, send their deliveries again, ping, and drop old days."""

# Newest first. Delivery ids are ordered by time, so times bound ids. While the webhook is not ACTIVE, no delivery has a
# next attempt.
# Parameters: $1 webhook_id, $2 the last delivery_id of the previous page, $3 status or null, $4 event_type or null,
# $5 since (ms), $6 until (ms), $7 limit
# Returns: delivery_id, event_type, subject_type, subject_id, status, attempts (JSON), body, created_at,
# next_attempt_at
LOGS = """
select delivery_id, event_type, subject_type, subject_id, status, attempts, body, created_at,
       (select next_attempt_at from webhooks w
        where w.webhook_id = $1 and w.status = 'WEBHOOK_STATUS_ACTIVE') as next_attempt_at
from deliveries
where webhook_id = $1 and delivery_id < $2
  and ($3::delivery_status is null or status = $3) and ($4::text is null or event_type = $4)
  and delivery_id >= id_floor($5::bigint) and delivery_id < id_floor($6::bigint)
order by delivery_id desc limit $7
"""

# Parameters: $1 webhook_id, $2 delivery_id
# Returns: delivery_id, event_type, subject_type, subject_id, status, attempts (JSON), body, created_at,
# next_attempt_at
LOG_ENTRY = """
select delivery_id, event_type, subject_type, subject_id, status, attempts, body, created_at,
       (select next_attempt_at from webhooks w
        where w.webhook_id = $1 and w.status = 'WEBHOOK_STATUS_ACTIVE') as next_attempt_at
from deliveries where webhook_id = $1 and delivery_id = $2
"""

# Parameters: $1 actor_id, $2 actor's kind, $3 ids of rooms and spaces
# Returns: subject_id
SUBJECTS_REACHED = """
select subject_id from (
    select room_id as subject_id, space_id from rooms where room_id = any($3::uuid[])
    union all select space_id, space_id from spaces where space_id = any($3::uuid[])) subject
join lateral role_in($1, $2::actor_kind, space_id) access on access.role is not null
"""

# What a webhook's deliveries are about, each once: those that wait, or those of a period with a status.
# Parameters: $1 webhook_id, $2 whether only waiting ones, $3 status or null, $4 since (ms), $5 until (ms)
# Returns: event_type, subject_type, subject_id, has_message
CONTENTS = """
select distinct d.event_type, d.subject_type, d.subject_id,
       coalesce((convert_from(d.body, 'UTF8')::jsonb -> 'data') ? 'message', false) as has_message
from deliveries d
where d.webhook_id = $1 and ($3::delivery_status is null or d.status = $3)
  and d.delivery_id >= id_floor($4::bigint) and d.delivery_id < id_floor($5::bigint)
  and (not $2 or exists (select from due_deliveries due
                         where due.webhook_id = $1 and due.delivery_id = d.delivery_id))
"""

# A manual resend: the next attempt is due now. A waiting delivery keeps its place in the schedule; one that succeeded
# stays SUCCEEDED.
# Parameters: $1 webhook_id, $2 delivery_id, $3 now
# Returns: is_done
RESEND = """
with due as (
    insert into due_deliveries (webhook_id, delivery_id, subject_id, due_at, attempts_made, manual)
    select webhook_id, delivery_id, subject_id, $3, jsonb_array_length(attempts), true
    from deliveries where webhook_id = $1 and delivery_id = $2
    on conflict (webhook_id, delivery_id) do update set due_at = excluded.due_at where not due_deliveries.leased
)
update deliveries set next_attempt_at = $3,
       status = case when status in ('DELIVERY_STATUS_PENDING', 'DELIVERY_STATUS_SUCCEEDED') then status
                     else 'DELIVERY_STATUS_RETRYING' end
where webhook_id = $1 and delivery_id = $2
returning true as is_done
"""

# A replay starts the schedule again for the deliveries of a period, a few per second. It skips pending deliveries.
# Parameters: $1 webhook_id, $2 status, $3 since (ms), $4 until (ms), $5 now, $6 interval between two deliveries
# Returns: count
REPLAY = """
with chosen as (
    select delivery_id, subject_id, row_number() over (order by delivery_id) as nr from deliveries
    where webhook_id = $1 and status = $2 and delivery_id >= id_floor($3::bigint) and delivery_id < id_floor($4::bigint)
      and event_type <> 'ping'
), due as (
    insert into due_deliveries (webhook_id, delivery_id, subject_id, due_at)
    select $1, delivery_id, subject_id, $5::timestamptz + (nr - 1) * $6::interval from chosen order by nr
    on conflict do nothing returning delivery_id, due_at
), renewed as (
    update deliveries d set status = 'DELIVERY_STATUS_PENDING', next_attempt_at = due.due_at
    from due where d.webhook_id = $1 and d.delivery_id = due.delivery_id
)
select count(*) from due
"""

# What REPLAY would queue of the deliveries of a period. Changes nothing.
# Parameters: $1 webhook_id, $2 since (ms), $3 until (ms)
# Returns: missed, failed
PREVIEW_REPLAY = """
select count(*) filter (where d.status = 'DELIVERY_STATUS_MISSED') as missed,
       count(*) filter (where d.status = 'DELIVERY_STATUS_FAILED') as failed
from deliveries d
where d.webhook_id = $1 and d.status in ('DELIVERY_STATUS_MISSED', 'DELIVERY_STATUS_FAILED')
  and d.delivery_id >= id_floor($2::bigint) and d.delivery_id < id_floor($3::bigint) and d.event_type <> 'ping'
  and not exists (select from due_deliveries due where due.webhook_id = $1 and due.delivery_id = d.delivery_id)
"""

# Parameters: $1 webhook_id, $2 delivery_id, $3 body, $4 created_at
PING = """
insert into deliveries (webhook_id, delivery_id, event_type, subject_type, subject_id, body, status, created_at)
values ($1, $2, 'ping', 'webhook', $1, $3, 'DELIVERY_STATUS_PENDING', $4)
"""

# Parameters: $1 webhook_id, $2 delivery_id, $3 status, $4 attempts (JSON)
# Returns: delivery_id, event_type, subject_type, subject_id, status, attempts (JSON), next_attempt_at, body,
# created_at
PINGED = """
update deliveries set status = $3, attempts = attempts || $4::jsonb where webhook_id = $1 and delivery_id = $2
returning delivery_id, event_type, subject_type, subject_id, status, attempts, next_attempt_at, body, created_at
"""

# Parameters: $1 webhook_id
# Returns: endpoint_url, headers, secret, old_secret, old_secret_until, time_limit, authentication
SEALED = """
select endpoint_url, headers, secret, old_secret, old_secret_until, time_limit, authentication
from webhooks where webhook_id = $1
"""

# Create the partitions of the coming days, and drop those past the retention, by the time up to which data expires.
# Parameters: $1 now, $2 retention in days
MAINTAIN_PARTITIONS = """
select keep_deliveries(
    $1, $2 + ($1::timestamptz::date - least($1, coalesce((select until from removal), '2000-01-01'))::date))
"""
