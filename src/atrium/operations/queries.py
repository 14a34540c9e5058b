"""The SQL of metrics, readiness and checks."""

# Returns: version_num
REVISION = "select version_num from alembic_version"

# Deliveries by state: due, scheduled for later, claimed by a worker, or held because their webhook is not active.
# Parameters: $1 now
# Returns: due, later, leased, held, oldest_seconds
BACKLOG = """
select count(*) filter (where active and due_at <= $1 and not leased) as due,
       count(*) filter (where active and due_at > $1 and not leased) as later,
       count(*) filter (where leased) as leased,
       count(*) filter (where not active and not leased) as held,
       coalesce(extract(epoch from $1 - min(due_at) filter (where active and due_at <= $1 and not leased)), 0)::float8
           as oldest_seconds
from (select d.due_at, d.leased, w.status = 'WEBHOOK_STATUS_ACTIVE' as active
      from due_deliveries d join webhooks w using (webhook_id)) waiting
"""

# Webhooks by status.
# Returns: status, count
WEBHOOKS = """
select lower(replace(status::text, 'WEBHOOK_STATUS_', '')) as status, count(*) from webhooks group by 1
"""

# Mails that have not been sent, including claimed and postponed ones.
# Parameters: $1 now
# Returns: waiting, oldest_seconds
MAILS = """
select count(*) as waiting,
       coalesce(extract(epoch from $1 - min(created_at)), 0)::float8 as oldest_seconds
from mails where next_attempt_at is not null
"""

# Returns: clock_timestamp
TIME = "select clock_timestamp()"

# Returns: exists
ANY_ORGANIZATION = "select exists (select from organizations)"

# Returns: secret (encrypted)
SECRETS = """
select secret from webhooks
union all select old_secret from webhooks where old_secret_until > now()
union all select authentication from webhooks where authentication is not null
"""

# Returns: name
PAUSED = "select name from webhooks where status = 'WEBHOOK_STATUS_PAUSED' order by paused_at desc, webhook_id"

# Client certificates that have ended or end within a week, of webhooks that an admin has not disabled.
# Parameters: $1 now
# Returns: name, certificate_ends_at
ENDING_CERTIFICATES = """
select name, certificate_ends_at from webhooks
where certificate_ends_at <= $1::timestamptz + interval '7 days' and status <> 'WEBHOOK_STATUS_INACTIVE'
order by certificate_ends_at, webhook_id
"""

# Connected replicas, but no running base backup.
# Returns: name, state, behind_bytes, synchronous
REPLICAS = """
select coalesce(nullif(application_name, ''), 'unnamed') as name, state,
       pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::int8 as behind_bytes,
       coalesce(sync_state in ('sync', 'quorum'), false) as synchronous
from pg_stat_replication where state is distinct from 'backup' order by name, pid
"""

# Whether a commit waits until a replica has it.
# Returns: waits
COMMITS_WAIT = """
select current_setting('synchronous_standby_names') <> ''
       and current_setting('synchronous_commit') not in ('off', 'local') as waits
"""
