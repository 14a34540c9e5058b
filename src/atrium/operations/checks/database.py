"""Checks of the database: its version, clock and schema, secrets, deliveries and mail."""

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path

import asyncpg

from atrium.kit.clock import MAX_SKEW, Clock
from atrium.kit.encryption import KEY_FILE, SecretCipher, WrongKey, installation_cipher
from atrium.kit.postgres.database import Connection
from atrium.kit.postgres.hosts import connect
from atrium.kit.postgres.replicas import open_replicas
from atrium.kit.settings import Settings
from atrium.operations import queries
from atrium.operations.checks import Finding, fail, ok, owner_advice, warn
from atrium.operations.checks.replication import check_reads, check_replication
from atrium.operations.readiness import newest_revision
from atrium.operations.replication import replication_of

OLDEST_POSTGRES = 16
CONNECT_TIMEOUT = 10.0  # seconds
SKEW = timedelta(seconds=2)
STUCK_AFTER, MAIL_STUCK_AFTER = timedelta(minutes=5), timedelta(minutes=10)
MAX_NAMES = 5
START_IT = "Start it, or correct ATRIUM_DATABASE_URL."


async def check_database(settings: Settings, clock: Clock) -> AsyncIterator[Finding]:
    """Yield the findings of all checks of the database at `settings.database_url`."""
    try:
        db = await connect(settings.database_url or "", timeout=CONNECT_TIMEOUT)
    except (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        yield fail("PostgreSQL", f"cannot be reached: {reason_of(error)}", START_IT)
        return
    try:
        yield postgres(db.get_server_version().major)
        for finding in check_replication(await replication_of(db, settings.database_url or "")):
            yield finding
        async for finding in _reads(db, settings):
            yield finding
        yield skew(await _ahead(db, clock))
        revision = await revision_of(db)
        yield schema(revision)
        if revision is not None and revision >= newest_revision():  # an older schema may lack columns
            async for finding in _content(db, settings, clock()):
                yield finding
    finally:
        await db.close()


async def _reads(db: Connection, settings: Settings) -> AsyncIterator[Finding]:
    replicas = await open_replicas(settings.database_replicas, size=1)
    if replicas is None:
        return
    try:
        async for finding in check_reads(db, replicas):
            yield finding
    finally:
        await replicas.close()


def reason_of(error: Exception) -> str:
    """Return an error as one line, without the URL, which may contain a password."""
    if isinstance(error, ValueError):
        return "ATRIUM_DATABASE_URL is not a PostgreSQL URL"
    return " ".join(str(error).split()) or type(error).__name__


def postgres(major: int) -> Finding:
    """Check the version of PostgreSQL."""
    if major < OLDEST_POSTGRES:
        return fail("PostgreSQL", f"version {major}", f"Atrium needs PostgreSQL {OLDEST_POSTGRES} or later.")
    return ok("PostgreSQL", f"version {major}")


async def _ahead(db: Connection, clock: Clock) -> timedelta:
    before = clock()
    database_time: datetime = await db.fetchval(queries.TIME)
    after = clock()
    return database_time - (before + (after - before) / 2)


def skew(ahead: timedelta) -> Finding:
    """Check how far the clock of the database is ahead of this machine's."""
    seconds = ahead.total_seconds()
    if abs(ahead) < SKEW:
        return ok("clock", "this machine and the database agree")
    summary = f"the database is {abs(seconds):.0f} s {'ahead of' if seconds > 0 else 'behind'} this machine"
    advice = "Synchronize both with a time server (systemd-timesyncd, chrony): retries and expiries depend on it."
    return (fail if abs(ahead) > MAX_SKEW else warn)("clock", summary, advice)


async def revision_of(db: Connection) -> str | None:
    """Return the revision of the schema, None for an empty database."""
    try:
        revision: str | None = await db.fetchval(queries.REVISION)
    except asyncpg.UndefinedTableError:
        return None
    return revision


def schema(revision: str | None) -> Finding:
    """Check whether the schema is that of this release."""
    needed = newest_revision()
    if revision is None:
        return warn("schema", "the database is empty", "Run atrium init.")
    if revision < needed:
        return warn("schema", f"revision {revision}; this release has {needed}", "The next start upgrades it.")
    if revision > needed:
        return fail(
            "schema", f"revision {revision} belongs to a later release (this one: {needed})", "Install that release."
        )
    return ok("schema", f"revision {revision}, up to date")


async def _content(db: Connection, settings: Settings, now: datetime) -> AsyncIterator[Finding]:
    if not await db.fetchval(queries.ANY_ORGANIZATION):
        yield warn("organization", "no organization yet", "Create one with atrium init.")
    yield secret_key([row["secret"] for row in await db.fetch(queries.SECRETS)], settings)
    backlog = await db.fetchrow(queries.BACKLOG, now)
    if backlog is not None:
        yield deliveries(backlog["due"], timedelta(seconds=backlog["oldest_seconds"]))
    yield paused([row["name"] for row in await db.fetch(queries.PAUSED)])
    yield certificates([tuple(row) for row in await db.fetch(queries.ENDING_CERTIFICATES, now)], now)
    mails = await db.fetchrow(queries.MAILS, now)
    if mails is not None:
        yield mail(
            mails["waiting"], timedelta(seconds=mails["oldest_seconds"]), has_server=settings.smtp_url is not None
        )


def secret_key(secrets: list[bytes], settings: Settings) -> Finding:
    """Check whether the current key decrypts the secrets. Create no key if there is none."""
    if not secrets:
        return ok("secret key", "no secrets to decrypt yet")
    if settings.secret_key is None and not Path(settings.data_dir / KEY_FILE).exists():
        advice = f"Restore {settings.data_dir / KEY_FILE} from a backup, or set ATRIUM_SECRET_KEY to its old value."
        return fail("secret key", "missing, but webhook secrets are encrypted with it", advice)
    try:
        unreadable = sum(_is_unreadable(installation_cipher(settings), each) for each in secrets)
    except OSError as error:
        return fail("secret key", f"cannot be read: {error.strerror}", owner_advice(settings.data_dir / KEY_FILE))
    if unreadable:
        summary = f"{unreadable} of {len(secrets)} webhook secrets cannot be decrypted with the current key"
        return fail("secret key", summary, "Restore the old ATRIUM_SECRET_KEY or secret.key, or rotate those secrets.")
    return ok("secret key", f"decrypts all webhook secrets ({len(secrets)})")


def _is_unreadable(vault: SecretCipher, secret: bytes) -> bool:
    try:
        vault.decrypt(secret)
    except WrongKey:
        return True
    return False


def deliveries(due: int, oldest: timedelta) -> Finding:
    """Check whether due deliveries are sent."""
    if oldest < STUCK_AFTER:
        return ok("deliveries", f"{due} due" if due else "none due")
    summary = f"{due} due, the oldest for {round(oldest / timedelta(minutes=1))} minutes"
    return fail(
        "deliveries", summary, "No worker is running, or it is too slow. See the log of atrium serve or atrium worker."
    )


def paused(names: list[str]) -> Finding:
    """Check whether webhooks were paused after failures."""
    if not names:
        return ok("webhooks", "none paused")
    advice = "Fix the endpoint, reactivate the webhook on its page, and replay the events that it missed."
    return warn("webhooks", f"{len(names)} paused: {_some(names)}", advice)


def certificates(ending: list[tuple[str, datetime]], now: datetime) -> Finding:
    """Check whether client certificates of webhooks have ended or end within a week."""
    if not ending:
        return ok("certificates", "no client certificate of a webhook ends within a week")
    names = [f"{name} {'has ended' if ends_at <= now else f'ends {ends_at:%Y-%m-%d}'}" for name, ends_at in ending]
    return warn("certificates", f"{len(ending)} of webhooks: {_some(names)}", "Give those webhooks new certificates.")


def _some(names: list[str]) -> str:
    more = len(names) - MAX_NAMES
    return ", ".join(names[:MAX_NAMES]) + (f" and {more} more" if more > 0 else "")


def mail(waiting: int, oldest: timedelta, *, has_server: bool) -> Finding:
    """Check whether mail is sent."""
    if not waiting:
        return ok("mail", "none queued")
    if not has_server:
        return warn(
            "mail", f"{waiting} queued, and no mail server is configured", "Set ATRIUM_SMTP_URL, or see atrium mail."
        )
    if oldest < MAIL_STUCK_AFTER:
        return ok("mail", f"{waiting} queued")
    return warn(
        "mail", f"{waiting} queued, the oldest for {round(oldest / timedelta(minutes=1))} minutes", "See atrium mail."
    )
