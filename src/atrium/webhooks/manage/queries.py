"""The SQL of webhooks and their subscriptions."""

from atrium.kit.postgres import locks

# Parameters: $1 webhook_id, $2 organization_id, $3 name, $4 description, $5 endpoint_url, $6 headers (encrypted),
# $7 secret (encrypted), $8 created_by, $9 created_at
ADD = """
insert into webhooks (webhook_id, organization_id, name, description, endpoint_url, headers, secret, status, created_by,
                      created_at)
values ($1, $2, $3, $4, $5, $6, $7, 'WEBHOOK_STATUS_ACTIVE', $8, $9)
"""

# What keeps a message out of each subscription of a webhook, apart from words.
# Parameters: $1 webhook_id, $2 room_id, $3 message_id
# Returns: reason
MATCH = """
select case
    when s.subscription_type <> 'WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_SENT' then 'subscription_type'
    when s.subject_id not in (r.room_id, r.space_id) then 'subject_id'
    else keeps_out(s, r.room_type, m.user_id, m.sender_type::text, m.thread_root_id is not null, m.mentions)
    end as reason
from rooms r join messages m on m.room_id = r.room_id and m.message_id = $3
join subscriptions s on s.webhook_id = $1
where r.room_id = $2
order by s.nr
"""

# Parameters: $1 organization_id
# Returns: pg_try_advisory_xact_lock
TRY_LOCK_PREVIEW = f"select pg_try_advisory_xact_lock({locks.PREVIEW}, hashtext($1::uuid::text))"

# The newest messages of the rooms that subscriptions are for, of the fifty rooms with the newest ones, and the numbers
# of the subscriptions that choose each of these messages, apart from words.
# Parameters: $1 rows of subscriptions (a JSON array of objects with the names of columns), $2 limit
# Returns: text, chosen_by
PREVIEW = """
with draft as materialized (
    select s from jsonb_populate_recordset(null::subscriptions, $1::jsonb) s
    where s.subscription_type = 'WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_SENT'
), rooms_with_news as (
    select r.room_id, r.space_id, r.room_type
    from (select room_id from rooms where room_id in (select (s).subject_id from draft)
          union select room_id from rooms where space_id in (select (s).subject_id from draft)) chosen
    join rooms r using (room_id) join room_heads h using (room_id)
    where r.deleted_at is null
    order by h.last_message_id desc nulls last limit 50
), newest as (
    select r.space_id, r.room_type, m.* from rooms_with_news r cross join lateral (
        select room_id, message_id, user_id, sender_type, thread_root_id, mentions, text from messages
        where room_id = r.room_id and deleted_at is null order by message_id desc limit $2) m
    order by m.message_id desc limit $2
)
select n.text, array(
    select (s).nr from draft
    where (s).subject_id in (n.room_id, n.space_id) and keeps_out(
        s, n.room_type, n.user_id, n.sender_type::text, n.thread_root_id is not null, n.mentions) is null) as chosen_by
from newest n
"""

# Parameters: $1 webhook_id
UNSUBSCRIBE_ALL = "delete from subscriptions where webhook_id = $1"

# Parameters: $1 webhook_id, $2 rows of subscriptions (a JSON array of objects with the names of columns)
SUBSCRIBE = """
insert into subscriptions (webhook_id, nr, subject_type, subject_id, subscription_type, room_type, sender_ids,
                           not_sender_ids, sender_type, thread, mentions, words, includes_message)
select $1, nr, subject_type, subject_id, subscription_type, room_type, sender_ids, not_sender_ids, sender_type, thread,
       mentions, words, includes_message
from jsonb_populate_recordset(null::subscriptions, $2::jsonb)
"""

# Parameters: $1 organization_id
LOCK_ORGANIZATION = "select from organizations where organization_id = $1 for no key update"

# Parameters: $1 organization_id
# Returns: count
COUNT = "select count(*) from webhooks where organization_id = $1"

# How many subscriptions there are to each event that a webhook is subscribed to, where there are more than allowed.
# Parameters: $1 webhook_id, $2 how many are allowed
# Returns: subject_id, subscription_type, own, total
OVER_LIMIT = """
select s.subject_id, s.subscription_type, count(*) filter (where s.webhook_id = $1) as own, count(*) as total
from subscriptions s
where (s.subject_id, s.subscription_type) in (
    select subject_id, subscription_type from subscriptions where webhook_id = $1)
group by s.subject_id, s.subscription_type having count(*) > $2
"""

# A failure count that began before $5 has expired.
# Parameters: $1 organization_id, $2 the last webhook_id of the previous page, $3 webhook_id or null, $4 limit, $5 the
# first failure before which failures do not count
# Returns: id, organization_id, name, description, endpoint_url, status, headers, failure_count, paused_at,
# pause_reason, created_by, created_at, retry_schedule, time_limit, ordering, rate_limit, authentication, missed_count,
# subscriptions (JSON), deleted_subjects
WEBHOOKS = """
select w.webhook_id as id, w.organization_id, w.name, w.description, w.endpoint_url, w.status, w.headers,
       case when w.first_failure_at < $5::timestamptz then 0 else w.failure_count end as failure_count, w.paused_at,
       w.pause_reason, w.created_by, w.created_at, w.retry_schedule, w.time_limit,
       coalesce(w.ordering, 'none') as ordering, w.rate_limit, w.authentication,
       (select count(*) from deliveries d
        where d.webhook_id = w.webhook_id and d.status = 'DELIVERY_STATUS_MISSED') as missed_count,
       (select coalesce(json_agg(json_strip_nulls(json_build_object(
            'subject_type', s.subject_type, 'subject_id', s.subject_id, 'subscription_type', s.subscription_type,
            'filter', nullif(jsonb_strip_nulls(jsonb_build_object(
                'room_type', s.room_type, 'sender_ids', s.sender_ids, 'not_sender_ids', s.not_sender_ids,
                'sender_type', s.sender_type, 'thread', s.thread, 'mentions', s.mentions, 'words', s.words)), '{}'),
            'include', case when s.includes_message then '["message"]'::json end))
            order by s.nr), '[]') from subscriptions s where s.webhook_id = w.webhook_id) as subscriptions,
       array(select distinct s.subject_id from subscriptions s
             where s.webhook_id = w.webhook_id
               and not exists (select from spaces p where p.space_id = s.subject_id and p.deleted_at is null)
               and not exists (select from rooms r join spaces p using (space_id)
                               where r.room_id = s.subject_id and r.deleted_at is null and p.deleted_at is null)
               and s.subject_type <> 'WEBHOOK_SUBJECT_TYPE_ORGANIZATION'
             order by s.subject_id) as deleted_subjects
from webhooks w
where w.organization_id = $1 and w.webhook_id > $2 and ($3::uuid is null or w.webhook_id = $3)
order by w.webhook_id limit $4
"""

# Parameters: $1 organization_id, $2 webhook_id
LOCK = "select from webhooks where organization_id = $1 and webhook_id = $2 for update"

# Parameters: $1 webhook_id, $2 name or null, $3 description or null, $4 endpoint_url or null, $5 headers (encrypted)
# or null
CHANGE = """
update webhooks set name = coalesce($2, name), description = coalesce($3, description),
       endpoint_url = coalesce($4, endpoint_url), headers = coalesce($5, headers)
where webhook_id = $1
"""

# Parameters: $1 webhook_id, $2 retry_schedule (seconds) or null, $3 time_limit (seconds) or null, $4 ordering,
# $5 rate_limit (per second) or null
SET_OPTIONS = """
update webhooks set retry_schedule = $2, time_limit = $3, ordering = nullif($4, 'none'), rate_limit = $5,
       next_slot_at = case when rate_limit is not distinct from $5 then next_slot_at end
where webhook_id = $1
"""

# Parameters: $1 webhook_id
# Returns: authentication (encrypted)
AUTHENTICATION = "select authentication from webhooks where webhook_id = $1"

# Parameters: $1 webhook_id, $2 authentication (encrypted) or null, $3 certificate_ends_at or null, $4 now
SET_AUTHENTICATION = """
update webhooks set authentication = $2, certificate_ends_at = $3, certificate_mailed_at = $4 where webhook_id = $1
"""

# Parameters: $1 webhook_id, $2 status
# Returns: is_done
SET_STATUS = """
update webhooks set status = $2, paused_at = null, pause_reason = null, failure_count = 0, first_failure_at = null
where webhook_id = $1 and status <> $2
returning true as is_done
"""

# Spreads the deliveries that waited while the webhook was not ACTIVE, in the order of their due times.
# Parameters: $1 webhook_id, $2 now, $3 interval between two deliveries
# Returns: count
SPREAD_OVERDUE = """
with spread as (
    update due_deliveries d set due_at = $2::timestamptz + late.nr * $3::interval
    from (select delivery_id, row_number() over (order by due_at, delivery_id) as nr
          from due_deliveries where webhook_id = $1 and due_at <= $2 and not leased) late
    where d.webhook_id = $1 and d.delivery_id = late.delivery_id
    returning true
)
select count(*) from spread
"""

# Parameters: $1 webhook_id
DELETE = "delete from webhooks where webhook_id = $1"

# Parameters: $1 webhook_id
FORGET_DUE = "delete from due_deliveries where webhook_id = $1"

# Parameters: $1 webhook_id, $2 secret (encrypted), $3 old_secret_until or null
ROTATE = """
update webhooks set old_secret = case when $3::timestamptz is not null then secret end, old_secret_until = $3,
       secret = $2
where webhook_id = $1
"""
