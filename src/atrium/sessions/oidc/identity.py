"""A sign-in through the OpenID Connect provider: its secrets, its result and its errors."""

from typing import NamedTuple


class ProviderUnavailable(Exception):
    """The provider is unreachable, or its response is not valid."""


class UntrustedResponse(Exception):
    """The provider's response cannot be trusted."""


class AuthorizationFlow(NamedTuple):
    """The secrets of a sign-in through the provider."""

    state: str
    nonce: str
    verifier: str


class ProviderIdentity(NamedTuple):
    """An identity at the provider; the address only if the provider has verified it."""

    issuer: str
    subject: str
    name: str
    email: str | None
