"""Change and reset passwords."""

from atrium.audit.trail import Change, Target
from atrium.keys.caller import Call
from atrium.keys.queries import IS_REVOKED
from atrium.kit.errors import Forbidden, Unauthenticated
from atrium.sessions import actions, mails, queries, throttle
from atrium.sessions.reach import Account


class WrongPassword(Forbidden):
    """The current password is wrong or missing."""

    code = "wrong_password"
    title = "The current password is wrong"


async def reset_password(call: Call, account: Account, fresh: str) -> None:
    """Replace the password hash and end every session and every emailed link."""
    await actions.end_sessions(call.db, account.person_id, call.now)
    await call.db.execute(queries.SET_HASH, account.person_id, fresh, call.now)
    await call.db.execute(queries.END_LINKS, account.person_id, call.now)
    await throttle.reset_attempts(call.db, account.email or "")
    await mails.notify_password_changed(call, account.email)


async def change_password(call: Call, account: Account, fresh: str) -> None:
    """Replace the password hash and end the account's other sessions. Raise WrongPassword if another request changed
    the password in the meantime, Unauthenticated if one revoked the key: the account may have another owner now."""
    await actions.end_sessions(call.db, account.person_id, call.now, but=call.caller.api_key_id)
    if await call.db.fetchval(IS_REVOKED, call.caller.api_key_id) is not False:
        raise Unauthenticated("The key was revoked meanwhile.")
    if await call.db.fetchval(queries.HASH, account.person_id) != account.hash:
        raise WrongPassword
    await call.db.execute(queries.SET_HASH, account.person_id, fresh, call.now)
    await call.db.execute(queries.END_LINKS, account.person_id, call.now)
    if account.hash is None:
        await mails.notify_password_set(call, account.email)
    else:
        await throttle.record_success(call.db, account.email or str(account.person_id), call.network)
        await mails.notify_password_changed(call, account.email)
    target = Target("person", account.person_id, account.name)
    await call.record(Change("password.changed", target))
