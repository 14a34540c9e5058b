"""Read the display name, the email address and the lookup keys from a SCIM user. Pure."""

import re
from typing import Any, NamedTuple

from scim2_models import Context

from atrium.scim.normalization import exact, folded, require_bounded, require_max_values, require_names
from atrium.scim.resources import User

ADDRESS = re.compile(r"[^@\s]{1,64}@[^@\s]{1,189}")
NOT_STORED = {"id", "meta", "schemas", "groups", "password"}


class Keys(NamedTuple):
    """The lookup keys of a user, in the order of WRITE_USER."""

    user_name: str
    external_id: str | None
    display_name: str | None
    emails: list[str]


def attributes_of(user: User) -> dict[str, Any]:
    """Return the attributes to store: all but the password and those that Atrium computes. Raise ScimError if an
    attribute has too many values."""
    document = user.model_dump(scim_ctx=Context.DEFAULT)
    require_max_values(document)
    return {name: value for name, value in document.items() if name not in NOT_STORED}


def keys_of(user: User) -> Keys:
    """Return the lookup keys of a user. Raise ScimError if one is too long for an index."""
    emails = [email.value for email in user.emails or () if email.value]
    require_bounded(
        "userName, externalId, displayName or an address",
        [user.user_name, user.external_id, user.display_name, *emails],
    )
    display_name = None if user.display_name is None else folded(user.display_name)
    external_id = None if user.external_id is None else exact(user.external_id)
    return Keys(folded(user.user_name or ""), external_id, display_name, sorted(set(map(folded, emails))))


def require_new_names(user: User, before: User | None = None) -> None:
    """Raise ScimError for an invalid new name. Existing names are not validated, so that their users can be changed."""
    existing = _names(before) if before else []
    require_names(name for name in _names(user) if name not in existing)


def _names(user: User) -> list[str | None]:
    name = user.name
    return [user.user_name, user.display_name, *([name.formatted, name.given_name, name.family_name] if name else [])]


def name_of(user: User) -> str:
    """Return the name to display: the first that is not blank, at most 200 characters of it."""
    name = user.name
    parts = f"{name.given_name or ''} {name.family_name or ''}" if name else ""
    candidates = (user.display_name, name.formatted if name else None, parts, user.user_name)
    return next((text.strip()[:200] for text in candidates if text and text.strip()), "Unnamed user")


def address_of(user: User) -> str | None:
    """Return the address for mail: the primary one, else that for work, else the first, else the `userName`."""
    emails = [email for email in user.emails or () if email.value and ADDRESS.fullmatch(email.value)]
    ranked = sorted(emails, key=lambda email: (not email.primary, email.type != "work"))
    if ranked:
        return ranked[0].value
    return user.user_name if user.user_name and ADDRESS.fullmatch(user.user_name) else None
