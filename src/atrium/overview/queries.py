"""The SQL of the overview."""

from atrium.organizations.invitations.conditions import IS_OPEN

# Parameters: $1 organization_id, $2 now
# Returns: active_people, deactivated_people, invited_people, integrations, spaces, rooms, paused_webhooks
COUNTS = f"""
select (select count(*) from memberships m join people p on p.person_id = m.actor_id
        where m.organization_id = $1 and m.deactivated_at is null) as active_people,
       (select count(*) from memberships m join people p on p.person_id = m.actor_id
        where m.organization_id = $1 and m.deactivated_at is not null
          and m.active_when_proven is null) as deactivated_people,
       (select count(*) from invitations i where organization_id = $1 and {IS_OPEN}) as invited_people,
       (select count(*) from integrations i
        where i.organization_id = $1 and exists (
            select from api_keys k where k.actor_id = i.integration_id and k.revoked_at is null
            and (k.expires_at is null or k.expires_at > $2)
            and not exists (select from incoming_webhooks w where w.incoming_webhook_id = k.api_key_id))
       ) as integrations,
       (select count(*) from spaces where organization_id = $1 and deleted_at is null) as spaces,
       (select count(*) from rooms r join spaces s using (space_id)
        where s.organization_id = $1 and s.deleted_at is null and r.deleted_at is null) as rooms,
       (select count(*) from webhooks
        where organization_id = $1 and status = 'WEBHOOK_STATUS_PAUSED') as paused_webhooks
"""

# Parameters: $1 organization_id
# Returns: has_invited, has_rooms, has_imported, has_webhook
FIRST_STEPS = """
select exists (select from invitations where organization_id = $1)
       or exists (select from directory_users where organization_id = $1 and provisioned) as has_invited,
       (select count(*) from (select from rooms r join spaces s using (space_id) where s.organization_id = $1
                              and r.deleted_at is null and s.deleted_at is null limit 2) found) > 1 as has_rooms,
       exists (select from imported where scope_id = $1) as has_imported,
       exists (select from webhooks where organization_id = $1) as has_webhook
"""

# Days are numbered from 1970-01-01. The day of a message or delivery is in its id, so that messages are read from an
# index only, and deliveries only from the partitions of these days.
# Parameters: $1 organization_id, $2 first day, $3 last day (days since 1970)
# Returns: date, people, messages, deliveries_succeeded, deliveries_failed, deliveries_under_way, deliveries_missed
DAYS = """
with sent as (
    select id_ms(m.message_id) / 86400000 as day, count(*) as messages
    from spaces s join rooms r using (space_id) join messages m using (room_id)
    where s.organization_id = $1 and s.deleted_at is null and r.deleted_at is null
      and m.message_id >= id_floor($2::bigint * 86400000)
    group by 1
), delivered as (
    select id_ms(d.delivery_id) / 86400000 as day,
           count(*) filter (where d.status = 'DELIVERY_STATUS_SUCCEEDED') as succeeded,
           count(*) filter (where d.status = 'DELIVERY_STATUS_FAILED') as failed,
           count(*) filter (where d.status in ('DELIVERY_STATUS_PENDING', 'DELIVERY_STATUS_RETRYING')) as under_way,
           count(*) filter (where d.status = 'DELIVERY_STATUS_MISSED') as missed
    from webhooks w join deliveries d using (webhook_id)
    where w.organization_id = $1 and d.delivery_id >= id_floor($2::bigint * 86400000)
    group by 1
)
select to_char(date '1970-01-01' + day::int, 'YYYY-MM-DD') as date,
       (select count(*) from memberships m join people p on p.person_id = m.actor_id
        where m.organization_id = $1 and m.created_at < time_of_ms((day + 1) * 86400000)
          and m.active_when_proven is null
          and (m.deactivated_at is null or m.deactivated_at >= time_of_ms((day + 1) * 86400000))) as people,
       coalesce(messages, 0) as messages, coalesce(succeeded, 0) as deliveries_succeeded,
       coalesce(failed, 0) as deliveries_failed, coalesce(under_way, 0) as deliveries_under_way,
       coalesce(missed, 0) as deliveries_missed
from generate_series($2::bigint, $3::bigint) as day left join sent using (day) left join delivered using (day)
order by day
"""
