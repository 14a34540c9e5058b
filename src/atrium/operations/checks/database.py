"""The database: reached, recent enough, migrated, with the right time; and what waits in it."""

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path

import asyncpg

from atrium.kit.clock import Clock
from atrium.kit.postgres.database import Connection
from atrium.kit.sealing import KEY_FILE, Vault, WrongKey, open_vault
from atrium.kit.settings import Settings
from atrium.operations import queries
from atrium.operations.checks import Finding, fail, ok, warn
from atrium.operations.readiness import newest_revision

OLDEST_POSTGRES = 16
CONNECTS_WITHIN = 10.0  # seconds
SKEW, TOO_MUCH_SKEW = timedelta(seconds=2), timedelta(seconds=60)
STUCK_AFTER, MAIL_STUCK_AFTER = timedelta(minutes=5), timedelta(minutes=10)
NAMED = 5
REACH = "Start it, or correct ATRIUM_DATABASE_URL."


async def check_database(settings: Settings, clock: Clock) -> AsyncIterator[Finding]:
    """Everything that the database at `settings.database_url` can tell."""
    try:
        db = await asyncpg.connect(settings.database_url, timeout=CONNECTS_WITHIN)
    except (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        yield fail("PostgreSQL", f"cannot be reached: {reason_of(error)}", REACH)
        return
    try:
        yield postgres(db.get_server_version().major)
        yield skew(await _time_there(db, clock))
        held = await revision_of(db)
        yield schema(held)
        if held is not None:
            async for finding in _content(db, settings, clock()):
                yield finding
    finally:
        await db.close()


def reason_of(error: Exception) -> str:
    """A failure in a line, without the address: it may hold a password."""
    if isinstance(error, ValueError):
        return "ATRIUM_DATABASE_URL is not an address of PostgreSQL"
    return " ".join(str(error).split()) or type(error).__name__


def postgres(major: int) -> Finding:
    """The version of PostgreSQL."""
    if major < OLDEST_POSTGRES:
        return fail("PostgreSQL", f"version {major}", f"Atrium needs PostgreSQL {OLDEST_POSTGRES} or later.")
    return ok("PostgreSQL", f"version {major}")


async def _time_there(db: Connection, clock: Clock) -> timedelta:
    before = clock()
    there: datetime = await db.fetchval(queries.TIME)
    after = clock()
    return there - (before + (after - before) / 2)


def skew(ahead: timedelta) -> Finding:
    """How far the database's clock is from this machine's."""
    seconds = ahead.total_seconds()
    if abs(ahead) < SKEW:
        return ok("clock", "this machine and the database agree")
    said = f"the database is {abs(seconds):.0f} s {'ahead of' if seconds > 0 else 'behind'} this machine"
    advice = "Let both follow a time server (systemd-timesyncd, chrony): retries and expiries go by the clock."
    return (fail if abs(ahead) > TOO_MUCH_SKEW else warn)("clock", said, advice)


async def revision_of(db: Connection) -> str | None:
    """The revision of the schema; None where there is none."""
    try:
        held: str | None = await db.fetchval(queries.REVISION)
    except asyncpg.UndefinedTableError:
        return None
    return held


def schema(held: str | None) -> Finding:
    """Whether the schema is the one of this release."""
    needed = newest_revision()
    if held is None:
        return warn("schema", "the database is empty", "Begin with atrium init.")
    if held < needed:
        return warn("schema", f"revision {held}; this release has {needed}", "The next start brings it up to date.")
    if held > needed:
        return fail("schema", f"revision {held}, of a later release than this one ({needed})", "Install that release.")
    return ok("schema", f"revision {held}, the newest")


async def _content(db: Connection, settings: Settings, now: datetime) -> AsyncIterator[Finding]:
    if not await db.fetchval(queries.ANY_ORGANIZATION):
        yield warn("organization", "there is none yet", "Make one with atrium init.")
    yield sealed([row["secret"] for row in await db.fetch(queries.SECRETS)], settings)
    backlog = await db.fetchrow(queries.BACKLOG, now)
    if backlog is not None:
        yield deliveries(backlog["due"], timedelta(seconds=backlog["oldest_seconds"]))
    yield paused([row["name"] for row in await db.fetch(queries.PAUSED)])
    mails = await db.fetchrow(queries.MAILS, now)
    if mails is not None:
        yield mail(
            mails["waiting"], timedelta(seconds=mails["oldest_seconds"]), has_server=settings.smtp_url is not None
        )


def sealed(secrets: list[bytes], settings: Settings) -> Finding:
    """Whether the present key opens what was sealed. Makes no key where there is none."""
    if not secrets:
        return ok("secret key", "nothing is sealed yet")
    if settings.secret_key is None and not Path(settings.data_dir / KEY_FILE).exists():
        advice = f"Bring {settings.data_dir / KEY_FILE} back from a backup, or set ATRIUM_SECRET_KEY as it was."
        return fail("secret key", "there is none, and webhook secrets are sealed with one", advice)
    try:
        unopened = sum(_opens_not(open_vault(settings), each) for each in secrets)
    except OSError as error:
        return fail(
            "secret key", f"cannot be read: {error.strerror}", "Give it to the user that runs Atrium, mode 600."
        )
    if unopened:
        said = f"{unopened} of {len(secrets)} webhook secrets do not open with the present key"
        return fail("secret key", said, "Set ATRIUM_SECRET_KEY or secret.key as it was, or rotate those secrets.")
    return ok("secret key", f"opens all webhook secrets ({len(secrets)})")


def _opens_not(vault: Vault, secret: bytes) -> bool:
    try:
        vault.unseal(secret)
    except WrongKey:
        return True
    return False


def deliveries(due: int, oldest: timedelta) -> Finding:
    """Whether what is due is being delivered."""
    if oldest < STUCK_AFTER:
        return ok("deliveries", f"{due} due" if due else "none is due")
    said = f"{due} due, the oldest for {round(oldest / timedelta(minutes=1))} minutes"
    return fail("deliveries", said, "No worker keeps up: is atrium serve or atrium worker running? Its log says more.")


def paused(names: list[str]) -> Finding:
    """The webhooks that were paused after failures."""
    if not names:
        return ok("webhooks", "none is paused")
    shown = ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")
    advice = "Mend the endpoint, then set the webhook's status to WEBHOOK_STATUS_ACTIVE and replay what it missed."
    return warn("webhooks", f"{len(names)} paused: {shown}", advice)


def mail(waiting: int, oldest: timedelta, *, has_server: bool) -> Finding:
    """Whether mail goes out."""
    if not waiting:
        return ok("mail", "none waits")
    if not has_server:
        return warn(
            "mail", f"{waiting} wait, and no server takes them", "Set ATRIUM_SMTP_URL, or read them: atrium mail"
        )
    if oldest < MAIL_STUCK_AFTER:
        return ok("mail", f"{waiting} on the way")
    return warn(
        "mail", f"{waiting} wait, the oldest for {round(oldest / timedelta(minutes=1))} minutes", "See atrium mail."
    )
