"""The jobs of the worker, and the rows that each of them works on."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple

from atrium import worker
from atrium.cleanup.actions import clean_up
from atrium.imports.jobs import Importer
from atrium.integrations.expiry_mails import mail_about_expiring_keys
from atrium.kit.mail import expiry
from atrium.kit.postgres.database import Pool
from atrium.kit.settings import Settings
from atrium.kit.storage import open_storage
from atrium.messages import packing
from atrium.search import indexing
from atrium.transcripts.indexing import index_transcripts
from atrium.transcripts.jobs import Transcriber
from atrium.unread import participation
from atrium.webhooks.delivery.mails import mail_about_ending_certificates

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@dataclass
class Work:
    """The arguments of a job."""

    settings: Settings
    pool: Pool
    made: dict[str, str] = field(default_factory=dict)

    async def clean_up(self) -> None:
        """Remove expired and deleted rows."""
        await clean_up(self.pool, open_storage(self.settings), self.settings, lambda: NOW, NOW)


class Job(NamedTuple):
    """A job: the statement that gives it rows (`$1` is their number), the one that counts those that are left, three
    times as many rows as it takes at a time, and what runs it. `stuck` makes the first of the rows one that fails."""

    fill: str
    left: str
    run: Callable[[Work], Awaitable[Any]] = Work.clean_up
    rows: int = 300
    stuck: str | None = None


async def _drain(step: Callable[[], Awaitable[Any]]) -> None:
    while await step():
        pass


async def _maintain(work: Work) -> None:
    await worker.maintain_partitions(work.settings, lambda: NOW)


async def _index(work: Work) -> None:
    await _drain(partial(indexing.index_batch, work.pool, ("english",)))


async def _import(work: Work) -> None:
    importer = Importer(work.pool, partial(open_storage, work.settings), work.settings, lambda: NOW)
    await _drain(importer.run_next)


async def _transcribe(work: Work) -> None:
    transcriber = Transcriber(work.pool, open_storage(work.settings), work.settings, lambda: NOW)
    await _drain(transcriber.transcribe_next)


ROOMS = """
with made as (
    insert into rooms (room_id, space_id, name, description, room_type, created_at, deleted_at, name_key)
    select id_at(nr), (select space_id from spaces limit 1), 'job ' || nr, '', 'video', '2026-11-01', {deleted}, 'job ' || nr
    from generate_series(1, $1::int) nr returning room_id
)
"""
DELETED, LIVING = ROOMS.format(deleted="'2026-11-20'::timestamptz"), ROOMS.format(deleted="null::timestamptz")
MESSAGES = """
, sent as (
    insert into messages (room_id, message_id, user_id, sender_type, thread_root_id, text, mentions, sent_at)
    select room_id, id_at(nr), actor_id, 'person', id_at(1), case nr when 1 then 'first' else 'more' end,
           array[actor_id], '2026-11-01'
    from made cross join (select actor_id from actors where kind = 'person' limit 1) sender
    cross join generate_series(1, {each}) nr returning room_id, message_id
)
insert into room_heads (room_id, last_seq, last_message_id)
select room_id, 1, id_floor(9) from sent group by room_id
"""
HEADS = MESSAGES.format(each=2)
OF_JOBS = "room_id in (select room_id from rooms where name like 'job %')"
# A trigger that refuses a row.
REFUSE = """
create function {table}_refused() returns trigger language plpgsql as $$
begin
    if {condition} then raise exception 'this row cannot be done'; end if;
    return {row};
end $$;
create trigger refused before {event} on {table} for each row execute function {table}_refused();
"""
OLD_PARTITIONS = "select count(*) from pg_class where relkind = 'r' and relname ~ '^{}_202601'"

# Of clean_up, by what its code names.
CLEANUP = {
    "delete_old_mail": Job(
        """insert into mails (mail_id, recipient, subject, body, created_at)
           select id_at(nr), 'a@example.org', '', '', '2026-01-01' from generate_series(1, $1::int) nr""",
        "select count(*) from mails where created_at < '2026-02-01'",
    ),
    "usage.DELETE_OLD": Job(
        """insert into key_usage select k.api_key_id, date '2026-01-01', 'GET', nr::text, '{}', 1, 0, 0
           from (select api_key_id from api_keys limit 1) k, generate_series(1, $1::int) nr""",
        "select count(*) from key_usage",
    ),
    "usage.DELETE_OLD_ADDRESSES": Job(
        """insert into key_addresses select k.api_key_id, inet '10.0.0.0' + nr, '2026-01-01'
           from (select api_key_id from api_keys limit 1) k, generate_series(1, $1::int) nr""",
        "select count(*) from key_addresses",
    ),
    "audit.DELETE_OLD": Job(
        """insert into audit_entries (organization_id, entry_id, at, actor_kind, actor_name, action, target_kind)
           select organization_id, id_at(nr), '2026-01-01', 'system', '', 'x', 'x'
           from organizations, generate_series(1, $1::int) nr""",
        "select count(*) from audit_entries where at < '2026-02-01'",
    ),
    "health_queries.DELETE_OLD": Job(
        """insert into webhook_health select id_at(nr), '2026-01-01', 1, 1, '{}' from generate_series(1, $1::int) nr""",
        "select count(*) from webhook_health",
    ),
    "delete_old_sessions": Job(
        """with keys as (
               insert into api_keys (api_key_id, actor_id, name, key_hash, last_four, created_at, expires_at, is_session)
               select id_at(nr), actor_id, '', decode(md5(nr::text), 'hex'), '', '2026-01-01', '2026-01-02', true
               from (select actor_id from actors limit 1) a, generate_series(1, $1::int) nr returning api_key_id
           ), attempts as (
               insert into sign_in_attempts select uuid_send(api_key_id), 1, '2026-01-01' from keys
           ), states as (
               insert into spent_states select uuid_send(api_key_id), '2026-01-01' from keys
           ), links as (
               insert into sign_in_links (token_hash, person_id, created_at, expires_at)
               select uuid_send(api_key_id), (select person_id from people limit 1), '2026-01-01', '2026-01-01' from keys
           )
           insert into sessions select api_key_id, '', null, 'password' from keys""",
        """select (select count(*) from sessions) + (select count(*) from sign_in_attempts)
                + (select count(*) from spent_states) + (select count(*) from sign_in_links where expires_at < '2026-02-01')""",
    ),
    "invitations.DELETE_OLD": Job(
        """with old as (
               insert into invitations (invitation_id, organization_id, email, role, token_hash, created_at, expires_at)
               select id_at(nr), organization_id, nr || '@example.org', 'member', decode(md5(nr::text), 'hex'),
                      '2026-01-01', '2026-01-15'
               from organizations, generate_series(1, $1::int) nr returning invitation_id)
           insert into invitation_spaces select invitation_id, space_id, 'member' from old, spaces""",
        "select count(*) from invitations where expires_at < '2026-02-01'",
    ),
    "uploads.EXPIRE": Job(
        """insert into uploads (upload_id, kind, name, created_by, created_at, expires_at)
           select id_at(nr), 'import', '', actor_id, '2026-01-01', '2026-01-02'
           from (select actor_id from actors limit 1) a, generate_series(1, $1::int) nr""",
        "select count(*) from uploads",
    ),
    "attachments.DROP_UNUSED": Job(
        """insert into attachments (room_id, attachment_id, name, media_type, size, object, created_by, created_at)
           select room_id, id_at(nr), '', '', 1, id_at(nr), gen_random_uuid(), '2026-01-01'
           from (select room_id from rooms limit 1) r, generate_series(1, $1::int) nr""",
        "select count(*) from attachments",
    ),
    "blocks.PURGE": Job(
        """insert into deleted_blocks (room_id, block_id, root_id, position, type, content, version, created_by,
                                       created_at, updated_at, deleted_at)
           select room_id, id_at(nr), id_at(nr), 1, 'divider', '{}', 1, gen_random_uuid(), '2026-01-01', '2026-01-01',
                  '2026-01-01' from (select room_id from rooms limit 1) r, generate_series(1, $1::int) nr""",
        "select count(*) from deleted_blocks",
    ),
    "recordings.REMOVE_DELETED": Job(
        """insert into recordings (room_id, recording_id, name, media_type, size, object, created_by, created_at, ready_at,
                                   deleted_at)
           select room_id, id_at(nr), '', '', 1, id_at(nr), gen_random_uuid(), '2026-01-01', '2026-01-01', '2026-01-02'
           from (select room_id from rooms limit 1) r, generate_series(1, $1::int) nr""",
        "select count(*) from recordings",
    ),
    "idempotency.DELETE_OLD": Job(
        """insert into idempotency_keys (scope_id, actor_id, route, key, body_hash, created_at)
           select id_at(nr), id_at(nr), '', '', '', '2026-01-01' from generate_series(1, $1::int) nr""",
        "select count(*) from idempotency_keys",
    ),
    "purge_deleted": Job(
        f"{DELETED} {HEADS}",
        f"select count(*) from rooms where {OF_JOBS}",
        stuck=REFUSE.format(
            table="messages", event="delete", row="old",
            condition="old.room_id = (select min(room_id::text)::uuid from rooms where name like 'job %')",
        ),
    ),
    "remove_dropped": Job(
        "insert into dropped_objects select id_at(nr), '2026-01-01' from generate_series(1, $1::int) nr",
        "select count(*) from dropped_objects where dropped_at < '2026-02-01'",
    ),
}  # fmt: skip
# The others that worker.py starts.
CHORES = {
    "maintain_partitions": Job(
        "select keep_deliveries('2026-01-01', $1), keep_live_events('2026-01-01')",
        OLD_PARTITIONS.format("(deliveries|live_events)"),
        _maintain,
    ),
    "pack_history": Job(
f"{LIVING} {MESSAGES.format(each=packing.SLICE)}",
        "select count(*) from messages where packed is null",
        lambda work: packing.pack_history(work.pool, NOW),
        3,
    ),
    "mail_about_expiring_keys": Job(
        """insert into api_keys (api_key_id, actor_id, name, key_hash, last_four, created_at, expires_at, expiry_mailed_at)
           select id_at(nr), actor_id, '', decode(md5('k' || nr), 'hex'), '', '2026-01-01', '2026-11-24', '2026-01-01'
           from (select person_id as actor_id from people limit 1) a, generate_series(1, $1::int) nr""",
        "select count(*) from api_keys where expiry_mailed_at < '2026-02-01'",
        lambda work: mail_about_expiring_keys(work.pool, NOW, base_url=""),
        3 * expiry.BATCH,
    ),
    "mail_about_ending_certificates": Job(
        """insert into webhooks (webhook_id, organization_id, name, description, endpoint_url, headers, status, secret,
                                 created_at, certificate_ends_at, certificate_mailed_at)
           select id_at(nr), organization_id, '', '', '', '', 'WEBHOOK_STATUS_ACTIVE', '', '2026-01-01', '2026-11-24',
                  '2026-01-01' from organizations, generate_series(1, $1::int) nr""",
        "select count(*) from webhooks where certificate_mailed_at < '2026-02-01'",
        lambda work: mail_about_ending_certificates(work.pool, NOW, base_url=""),
        3 * expiry.BATCH,
    ),
    "index_transcripts": Job(
        f"""{LIVING}, heads as (
                insert into transcript_heads (room_id, recording_id, version, published_at)
                select room_id, room_id, 1, '2026-01-01' from made)
            insert into transcript_versions (room_id, recording_id, version, origin, created_at, segment_count, segments)
            select room_id, room_id, 1, 'put', '2026-01-01', 1, '[{{"start":0,"end":1,"text":"word"}}]' from made""",
        f"select count(*) from transcript_heads where indexed_version < version and {OF_JOBS}",
        lambda work: index_transcripts(work.pool, ("english",)),
        3,
    ),
    "record_participation": Job(
        f"{LIVING} {HEADS}",
        f"""select count(*) from room_heads h left join participation_heads p using (room_id)
            where h.last_message_id is distinct from p.recorded_id and {OF_JOBS}""",
        lambda work: participation.record_participation(work.pool),
        3 * participation.ROOMS_PER_BATCH,
    ),
    "run_indexer": Job(
        f"{LIVING} {HEADS}",
        f"""select count(*) from room_heads h join search_heads s using (room_id)
            where h.last_message_id is distinct from s.indexed_id and {OF_JOBS}""",
        _index,
        3 * indexing.ROOMS_PER_BATCH,
    ),
    "Importer": Job(
        """insert into imports (import_id, organization_id, space_id, name, size, due_at, created_by, created_at)
           select id_at(nr), organization_id, space_id, '', 1, '2026-01-01', person_id, '2026-01-01'
           from spaces, people, generate_series(1, $1::int) nr""",
        "select count(*) from imports where ended_at is null",
        _import,
        3,
    ),
    "Transcriber": Job(
        f"""{LIVING} insert into transcriptions (room_id, recording_id, status, due_at, asked_at, over_version)
            select room_id, room_id, 'waiting', '2026-01-01', '2026-01-01', 0 from made""",
        "select count(*) from transcriptions where status in ('waiting', 'running')",
        _transcribe,
        3,
    ),
}  # fmt: skip
# Those that need another server have tests of their own with more than they take in one go.
ELSEWHERE = {
    "send_due_mail": (
        "tests/kit/mail/test_sending.py::test_concurrent_senders_send_each_mail_once",
        "tests/kit/mail/test_sending.py::test_a_permanent_rejection_is_not_retried",
    ),
    "open_delivery_worker": (
        "tests/webhooks/test_delivery.py::test_concurrent_attempts_of_a_webhook_are_limited_and_lower_while_it_fails",
        "tests/webhooks/test_delivery.py::test_after_an_outage_overdue_attempts_are_made_immediately_and_once",
    ),
}  # fmt: skip
