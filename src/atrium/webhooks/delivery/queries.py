"""The SQL of the delivery worker: claim due deliveries and record their results."""

# Claim due deliveries. A locked row keeps its ctid and is found again by it. The last LIMIT keeps the planner from
# joining the log by webhook, which would read all of its log.
#
# A failing webhook (a count that began before $6 has expired) gets few, so that it cannot occupy many attempts until
# they time out, and comes last when the worker is at its limit; of the others each gets its first, then each its
# second, and so on. Organizations share the places of the worker (kit/process/shares.py): the one with the fewest gets
# the next, and only while it has fewer than are free. `turn` are the places that it has before that one.
#
# A webhook with a rate gets deliveries for the times ("slots") until $9, one after the other: `begins_in` are the
# seconds until its slot.
# Parameters: $1 now, $2 due_at of a claim (end of the lease), $3 max_claimed per webhook, $4 max_claimed per webhook
# after failures, $5 limit, $6 the first failure after which a webhook counts as failing, $7 webhook_ids and $8
# max_claimed of those that have their own, $9 the last slot, $10 organization_ids and $11 the places that they have
# Returns: webhook_id, delivery_id, attempts_made, manual, due_at, logged, event_type, body, endpoint_url, headers,
# secret, old_secret, old_secret_until, time_limit, authentication, organization_id, begins_in, leased_until
CLAIM = """
with open as materialized (
    -- Lock the webhooks with due deliveries. `most` is how many each may have claimed, on all workers together.
    select w.webhook_id, w.organization_id, w.ordering, greatest(w.next_slot_at, $1) as first_slot,
           interval '1 second' / w.rate_limit as apart, state.fails, coalesce(share.in_use, 0) as in_use,
           case when state.fails then $4::int else coalesce(own.most, $3::int) end as most
    from webhooks w
    cross join lateral (
        select (w.failure_count = 0 or w.first_failure_at < $6::timestamptz) is not true as fails) state
    left join unnest($7::uuid[], $8::int[]) own (webhook_id, most) on own.webhook_id = w.webhook_id
    left join unnest($10::uuid[], $11::int[]) share (organization_id, in_use) using (organization_id)
    cross join lateral (
        select from due_deliveries d where d.webhook_id = w.webhook_id and d.due_at <= $1 order by d.due_at limit 1) due
    where w.status = 'WEBHOOK_STATUS_ACTIVE' and coalesce(share.in_use, 0) < $5
    for no key update of w skip locked
), allowed as materialized (
    -- How many more each may have now.
    select open.*, greatest(0, least(most - busy.claimed, floor(
               extract(epoch from $9::timestamptz - first_slot) / extract(epoch from apart)) + 1))::int as most_now
    from open cross join lateral (
        select count(*)::int as claimed from (
            select from due_deliveries d where d.webhook_id = open.webhook_id and d.leased and d.due_at > $1
            order by d.due_at limit open.most) d) busy
), found as materialized (
    -- In any order: those that were due first.
    select w.webhook_id, w.organization_id, w.in_use, w.fails, due.tid, due.due_at
    from allowed w cross join lateral (
        select d.ctid as tid, d.due_at from due_deliveries d
        where d.webhook_id = w.webhook_id and d.due_at <= $1
        order by d.due_at limit w.most_now for update skip locked) due
    where w.ordering is null
    union all
    -- In order: the first of each subject, unless it is under way or waits for a retry.
    select w.webhook_id, w.organization_id, w.in_use, w.fails, due.tid, due.due_at
    from allowed w cross join lateral (
        select first.tid from first_of_each_subject(w.webhook_id) first
        where first.due_at <= $1 order by first.due_at limit w.most_now) first
    cross join lateral (
        select d.ctid as tid, d.due_at from due_deliveries d
        where d.ctid = first.tid and d.due_at <= $1 for update skip locked) due
    where w.ordering is not null
), numbered as (
    -- The order in which the places of the worker are given.
    select *, row_number() over (partition by webhook_id order by due_at) as nr from found
), in_turn as (
    select *, in_use - 1 + row_number() over (partition by organization_id order by fails, nr, due_at) as turn
    from numbered
), placed as (
    select *, row_number() over (order by turn >= $5 / 2, fails, turn, nr, due_at) as place from in_turn
), ready as materialized (
    select webhook_id, tid, due_at, nr from placed where turn <= $5 - place order by place limit $5
), taken as (
    -- Take them, and the slots of webhooks with a rate.
    update due_deliveries d set due_at = $2, leased = true
    from ready where d.ctid = ready.tid
    returning d.webhook_id, d.delivery_id, d.attempts_made, d.manual, ready.due_at, ready.nr
), paced as (
    update webhooks w set next_slot_at = open.first_slot + used.slots * open.apart
    from (select webhook_id, count(*) as slots from ready group by webhook_id) used join open using (webhook_id)
    where w.webhook_id = used.webhook_id and open.apart is not null
)
select taken.webhook_id, taken.delivery_id, taken.attempts_made, taken.manual, taken.due_at,
       jsonb_array_length(d.attempts) as logged, d.event_type, d.body,
       w.endpoint_url, w.headers, w.secret, w.old_secret, w.old_secret_until, w.time_limit, w.authentication,
       w.organization_id,
       coalesce(extract(epoch from open.first_slot + (taken.nr - 1) * open.apart - $1), 0)::float8 as begins_in,
       $2::timestamptz as leased_until
from taken join webhooks w on w.webhook_id = taken.webhook_id join open on open.webhook_id = taken.webhook_id
cross join lateral (
    select event_type, body, attempts from deliveries
    where webhook_id = taken.webhook_id and delivery_id = taken.delivery_id limit 1) d
"""

# Give claimed deliveries back that were not attempted, unless another worker has claimed them since.
# Parameters: $1 to $4 arrays: webhook_id, delivery_id, due_at, leased_until
# Returns: array_agg
GIVE_BACK = """
with unused as materialized (
    select * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::timestamptz[])
    with ordinality as unused (webhook_id, delivery_id, due_at, leased_until, nr)
), given as (
    update due_deliveries d set due_at = unused.due_at, leased = false
    from unused
    where d.webhook_id = unused.webhook_id and d.delivery_id = unused.delivery_id and d.due_at = unused.leased_until
)
select array_agg(nr order by nr) from unused
"""

# The earliest due time of all ACTIVE webhooks, past or future. What waits behind the first of its subject is not due.
# Returns: min
NEXT_DUE = """
select min(next.due_at) from (
    select due.due_at
    from webhooks w cross join lateral (
        select d.due_at from due_deliveries d where d.webhook_id = w.webhook_id order by d.due_at limit 1) due
    where w.status = 'WEBHOOK_STATUS_ACTIVE' and w.ordering is null
    union all
    select head.due_at
    from webhooks w cross join lateral first_of_each_subject(w.webhook_id) head
    where w.status = 'WEBHOOK_STATUS_ACTIVE' and w.ordering is not null) next
"""

# A success ends its delivery and, unless it was resent manually, clears the failure count of its webhook. The lock
# keeps the planner from reading the whole queue with a plan that was made while the queue was empty.
# Parameters: $1 to $4 arrays: webhook_id, delivery_id, attempt (JSON), manual
# Returns: array_agg
SUCCEED = """
with done as materialized (
    select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bool[])
    with ordinality as done (webhook_id, delivery_id, attempt, manual, nr)
), logged as (
    update deliveries d set status = 'DELIVERY_STATUS_SUCCEEDED', next_attempt_at = null,
           attempts = d.attempts || done.attempt::jsonb
    from done where d.webhook_id = done.webhook_id and d.delivery_id = done.delivery_id
), ended as (
    delete from due_deliveries d using done cross join lateral (
        select due.ctid as place from due_deliveries due
        where due.webhook_id = done.webhook_id and due.delivery_id = done.delivery_id for update) held
    where d.ctid = held.place
), proven as materialized (
    select webhook_id from webhooks
    where webhook_id in (select webhook_id from done where not manual)
      and failure_count > 0 and status = 'WEBHOOK_STATUS_ACTIVE'
    order by webhook_id for no key update
), cleared as (
    update webhooks w set failure_count = 0, first_failure_at = null
    from proven where w.webhook_id = proven.webhook_id
)
select array_agg(nr order by nr) from done
"""

# Locks the webhooks of failures, in one order, so that of ten concurrent failures exactly one is the tenth. Returns no
# row for a delivery that has ended: its webhook was deleted, or another worker that got the lease delivered it.
# Parameters: $1 webhook_ids, $2 delivery_ids
# Returns: nr, webhook_id, organization_id, name, endpoint_url, status, failure_count, first_failure_at, counted,
# created_at, retry_schedule
LOCK_FOR_FAILURES = """
with failed as materialized (
    select * from unnest($1::uuid[], $2::uuid[]) with ordinality as failed (webhook_id, delivery_id, nr)
), held as materialized (
    select * from webhooks where webhook_id in (select webhook_id from failed) order by webhook_id for no key update
)
select failed.nr, held.webhook_id, held.organization_id, held.name, held.endpoint_url, held.status,
       held.failure_count, held.first_failure_at, d.counted, d.created_at, held.retry_schedule
from failed join held using (webhook_id)
cross join lateral (
    select counted, created_at from deliveries
    where webhook_id = failed.webhook_id and delivery_id = failed.delivery_id limit 1) d
cross join lateral (
    select from due_deliveries where webhook_id = failed.webhook_id and delivery_id = failed.delivery_id limit 1) due
order by failed.nr
"""

# A failure without a retry time ends its delivery; planned like SUCCEED. A delivery that succeeded once and was resent
# manually stays SUCCEEDED.
# Parameters: $1 to $7 arrays: webhook_id, delivery_id, status, retry_at or null, attempt (JSON), attempts_made, counts
FAIL = """
with failed as materialized (
    select * from unnest($1::uuid[], $2::uuid[], $3::delivery_status[], $4::timestamptz[], $5::text[], $6::int[],
                         $7::bool[])
    as failed (webhook_id, delivery_id, status, retry_at, attempt, attempts_made, counts)
), held as materialized (
    select due.place, failed.retry_at, failed.attempts_made
    from failed cross join lateral (
        select d.ctid as place from due_deliveries d
        where d.webhook_id = failed.webhook_id and d.delivery_id = failed.delivery_id for update) due
), put_off as (
    update due_deliveries d
    set due_at = held.retry_at, attempts_made = held.attempts_made, manual = false, leased = false
    from held where d.ctid = held.place and held.retry_at is not null
), ended as (
    delete from due_deliveries d using held where d.ctid = held.place and held.retry_at is null
)
update deliveries d
set status = case when d.status = 'DELIVERY_STATUS_SUCCEEDED' then d.status else failed.status end,
    next_attempt_at = failed.retry_at, attempts = d.attempts || failed.attempt::jsonb,
    counted = d.counted or failed.counts
from failed where d.webhook_id = failed.webhook_id and d.delivery_id = failed.delivery_id
"""

# A delivery that LOCK_FOR_FAILURES returns no row for has ended and leaves the queue.
# Parameters: $1 webhook_id, $2 delivery_id
FORGET_ENDED = "delete from due_deliveries where webhook_id = $1 and delivery_id = $2"

# Parameters: $1 webhook_id, $2 failure_count, $3 first_failure_at
COUNT_FAILURE = "update webhooks set failure_count = $2, first_failure_at = $3 where webhook_id = $1"

# Parameters: $1 webhook_id, $2 paused_at, $3 pause_reason
PAUSE = """
update webhooks set status = 'WEBHOOK_STATUS_PAUSED', paused_at = $2, pause_reason = $3
where webhook_id = $1
"""

# Parameters: $1 organization_id
# Returns: email
ADMINS = """
select email from admin_addresses($1) email
"""

# Client certificates of webhooks that an admin has not disabled, which have begun their last week or their last day,
# unless a mail said so or the certificate was set since then. Concurrent callers get each of them once.
# Parameters: $1 now, $2 limit
# Returns: webhook_id, organization_id, name, endpoint_url, certificate_ends_at, addresses
CLAIM_ENDING_CERTIFICATES = """
with ending as (
    select webhook_id from webhooks
    where status <> 'WEBHOOK_STATUS_INACTIVE' and expiry_mail_is_due(certificate_ends_at, certificate_mailed_at, $1)
    order by certificate_ends_at, webhook_id limit $2 for no key update skip locked
)
update webhooks w set certificate_mailed_at = $1 from ending where w.webhook_id = ending.webhook_id
returning w.webhook_id, w.organization_id, w.name, w.endpoint_url, w.certificate_ends_at,
          array(select admin_addresses(w.organization_id)) as addresses
"""
