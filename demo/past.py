"""Invent what the last month would have left behind: the deliveries of its messages, their health, and when people
joined.

The import writes neither, rightly, so the charts of the administration would show today only.
"""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import psycopg

from atrium.cli.installation import running_database, settings_with
from atrium.webhooks.health import histogram
from demo.server import Server

# Create the partitions of the last 30 days.
# Parameters: now
PARTITIONS = "select keep_deliveries(%(now)s - n * interval '1 day', 30) from generate_series(0, 30) n"

# A delivery for each message of the past 30 days and each webhook that is active. Each eleventh fails all its attempts.
# Parameters: organization_id, now
DELIVERIES = """
insert into deliveries (webhook_id, delivery_id, event_type, subject_type, subject_id, body, status, attempts,
                        created_at)
select subscriber.webhook_id, id_at((id_ms(m.message_id) << 12) + m.number), 'message_sent', 'room', m.room_id,
       event_body('message_sent', 'room', m.room_id, id_ms(m.message_id), concat(
           '{"message_id":"', m.message_id, '","room_id":"', m.room_id, '","user_id":"', m.user_id,
           '","status":"SENT","created_at":', json_time_of_ms(id_ms(m.message_id)), '}')),
       outcome.status::delivery_status,
       (select jsonb_agg(jsonb_build_object(
            'attempt', attempt, 'attempted_at', rfc3339(m.sent_at + wait), 'response_code', outcome.code,
            'duration_ms', took.ms, 'error', outcome.error, 'response_excerpt', outcome.text,
            'request_headers', jsonb_build_object(),
            'timing', jsonb_build_object('reused', true, 'wait_ms', took.ms - 1, 'read_ms', 1)) order by attempt)
        from unnest(outcome.waits) with ordinality as made (wait, attempt)),
       m.sent_at
from spaces s join rooms r using (space_id)
join (select *, mod(row_number() over (order by sent_at), 4096) as number from messages
      where sent_at between %(now)s - interval '30 days' and %(now)s - interval '10 hours') m using (room_id)
join lateral (values
    (true, 'DELIVERY_STATUS_FAILED', 503, 'HTTP 503', 'Restarting', '{0s,3s,1m,6m,36m,156m}'::interval[]),
    (false, 'DELIVERY_STATUS_SUCCEEDED', 200, null, 'Thank you', '{0s}')
) outcome (fails, status, code, error, text, waits) on outcome.fails = (mod(m.number, 11) = 0)
cross join lateral (select 12 + mod(m.number * 7, 23) + 130 * (mod(m.number, 9) = 0)::int as ms) took
cross join lateral subscribers_to(
    m.room_id, s.space_id, 'WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_SENT', r.room_type, m.user_id, m.sender_type::text,
    m.thread_root_id is not null, m.mentions, '{}') subscriber
where s.organization_id = %(organization_id)s and subscriber.active
"""

# The attempts of the deliveries.
# Returns: webhook_id, hour, succeeded, duration_ms
ATTEMPTS = """
select webhook_id, date_trunc('hour', (attempt ->> 'attempted_at')::timestamptz, 'UTC') as hour,
       attempt ->> 'error' is null as succeeded, (attempt ->> 'duration_ms')::int as duration_ms
from deliveries cross join lateral jsonb_array_elements(attempts) attempt
"""

# The worker has counted the attempts of today.
# Parameters: webhook_id, hour, attempts, succeeded, durations
HEALTH = "insert into webhook_health values (%s, %s, %s, %s, %s) on conflict do nothing"

# Everyone joined the day before their first message.
# Parameters: organization_id
JOINED = """
update memberships joined set created_at = first.at - interval '1 day'
from (select m.user_id, min(m.sent_at) as at
      from spaces s join rooms r using (space_id) join messages m using (room_id)
      where s.organization_id = %(organization_id)s group by 1) first
where joined.organization_id = %(organization_id)s and joined.actor_id = first.user_id
"""


def invent_past(server: Server, organization_id: UUID) -> None:
    """Write the deliveries, their health and the dates of joining into the demo's database."""
    values = {"organization_id": organization_id, "now": datetime.now(UTC)}
    with (
        running_database(settings_with(data_dir=server.folder)) as settings,
        psycopg.connect(settings.database_url or "") as db,
    ):
        for statement in (PARTITIONS, DELIVERIES, JOINED):
            db.execute(statement, values)
        _count_health(db)


def _count_health(db: psycopg.Connection[Any]) -> None:
    """Count the attempts by hour, as a worker does."""
    hours: dict[tuple[UUID, datetime], list[tuple[bool, int]]] = {}
    for webhook_id, hour, succeeded, duration_ms in db.execute(ATTEMPTS):
        hours.setdefault((webhook_id, hour), []).append((succeeded, duration_ms))
    for key, attempts in hours.items():
        durations: list[int] = []
        for _, duration_ms in attempts:
            histogram.count(durations, duration_ms)
        db.execute(HEALTH, (*key, len(attempts), sum(succeeded for succeeded, _ in attempts), durations))
