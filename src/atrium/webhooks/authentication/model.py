"""How a webhook authenticates to its endpoint: the types, and the rules for changes of its secrets."""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Annotated, NamedTuple, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, structs

from atrium.kit.clock import rfc3339
from atrium.kit.errors import invalid_field
from atrium.kit.network.client_certificates import (
    InvalidCertificate,
    certificate_facts,
    only_certificates,
)
from atrium.kit.text.types import Timestamp, WebLink

FIELD = "/content/authentication"
PRINTABLE = "^[\\x20-\\x7e]*$(?!\\n)"

OAuthText = Annotated[str, Meta(min_length=1, max_length=2000, pattern=PRINTABLE, description="printable ASCII")]
Certificate = Annotated[
    str, Meta(max_length=30_000, description="PEM: the client certificate, then those of its issuers, if needed")
]
PrivateKey = Annotated[
    str, Meta(min_length=1, max_length=10_000, description="PEM, without a passphrase; RSA with at most 4096 bits")
]


class ClientAuthentication(StrEnum):
    """How the token endpoint receives the client's id and secret: in a header, or in the body (RFC 6749, 2.3.1)."""

    BASIC = "basic"
    BODY = "body"


class OAuth2(Struct, frozen=True, tag_field="type", tag="oauth2"):
    """Deliveries have an access token, which is requested with client credentials (RFC 6749, section 4.4)."""

    token_url: WebLink
    client_id: str
    scope: str | None
    audience: str | None
    client_authentication: ClientAuthentication


class MutualTls(Struct, frozen=True, tag_field="type", tag="mutual_tls"):
    """Connections to the endpoint have a client certificate."""

    certificate: str
    subject: str
    issuer: str
    fingerprint: Annotated[str, Meta(description="SHA-256, in hex")]
    ends_at: Timestamp


Authentication: TypeAlias = OAuth2 | MutualTls


class OAuth2Credentials(Struct, frozen=True, tag_field="type", tag="oauth2", forbid_unknown_fields=True):
    """Client credentials (RFC 6749, section 4.4). In an update, an absent secret stays what it is."""

    token_url: WebLink
    client_id: OAuthText
    client_secret: OAuthText | UnsetType = UNSET
    scope: OAuthText | None = None
    audience: OAuthText | None = None
    client_authentication: ClientAuthentication = ClientAuthentication.BASIC


class MutualTlsCredentials(Struct, frozen=True, tag_field="type", tag="mutual_tls", forbid_unknown_fields=True):
    """A client certificate with its key. In an update, an absent key stays what it is."""

    certificate: Certificate
    private_key: PrivateKey | UnsetType = UNSET


Credentials: TypeAlias = OAuth2Credentials | MutualTlsCredentials
_DECODER: msgspec.json.Decoder[Credentials] = msgspec.json.Decoder(Credentials)
SECRETS: dict[type[Credentials], str] = {OAuth2Credentials: "client_secret", MutualTlsCredentials: "private_key"}


class Destination(NamedTuple):
    """Where deliveries are sent, and how."""

    endpoint_url: str
    header_names: Iterable[str]
    credentials: Credentials | None

    @property
    def urls(self) -> tuple[str, str | None]:
        """The URLs that a secret, or what it is exchanged for, is sent to."""
        return self.endpoint_url, getattr(self.credentials, "token_url", None)


def unsealed(credentials: bytes) -> Credentials:
    """Read decrypted credentials, which have their secret."""
    return _DECODER.decode(credentials)


def shown(credentials: Credentials) -> Authentication:
    """Return credentials as the API shows them, without the secret."""
    if isinstance(credentials, OAuth2Credentials):
        return OAuth2(
            credentials.token_url,
            credentials.client_id,
            credentials.scope,
            credentials.audience,
            credentials.client_authentication,
        )
    facts = certificate_facts(credentials.certificate)
    return MutualTls(credentials.certificate, facts.subject, facts.issuer, facts.fingerprint, rfc3339(facts.ends_at))


def ends_at(credentials: Credentials | None) -> datetime | None:
    """Return when a client certificate ends."""
    return certificate_facts(credentials.certificate).ends_at if isinstance(credentials, MutualTlsCredentials) else None


def without_secret(credentials: Credentials | None) -> Credentials | None:
    """Return credentials as an update requests them that does not change them."""
    return None if credentials is None else structs.replace(credentials, **{SECRETS[type(credentials)]: UNSET})


def completed(requested: Destination, stored: Destination | None) -> Destination:
    """Return the destination to store, with the stored secret where none is requested. Raise InvalidRequest.

    A stored secret is used only with the URLs that it was entered for: else the next person who may change the webhook
    could have it, or a token, sent to a server of their own.
    """
    credentials = _with_secret(_normalized(requested.credentials), requested, stored)
    complete = requested._replace(credentials=credentials)
    _require_consistent(complete)
    return complete


def _normalized(credentials: Credentials | None) -> Credentials | None:
    if not isinstance(credentials, MutualTlsCredentials):
        return credentials
    try:
        return structs.replace(credentials, certificate=only_certificates(credentials.certificate))
    except InvalidCertificate as error:
        raise invalid_field(f"{FIELD}/certificate", str(error)) from None


def _with_secret(
    credentials: Credentials | None, requested: Destination, stored: Destination | None
) -> Credentials | None:
    if credentials is None or getattr(credentials, name := SECRETS[type(credentials)]) is not UNSET:
        return credentials
    before = None if stored is None else stored.credentials
    if stored is None or type(before) is not type(credentials):
        raise invalid_field(f"{FIELD}/{name}", "is required")
    if requested.urls != stored.urls:
        raise invalid_field(f"{FIELD}/{name}", "is required again to change endpoint_url or token_url")
    return structs.replace(credentials, **{name: getattr(before, name)})


def _require_consistent(destination: Destination) -> None:
    """Raise InvalidRequest for credentials that the endpoint's URL or the custom headers contradict."""
    is_secure = destination.endpoint_url.lower().startswith("https:")
    match destination.credentials:
        case OAuth2Credentials(token_url=token_url):
            if is_secure and not token_url.lower().startswith("https:"):
                raise invalid_field(f"{FIELD}/token_url", "must begin with https://, as endpoint_url does")
            if "authorization" in map(str.lower, destination.header_names):
                raise invalid_field("/content/headers", "Authorization is the header of the access token")
        case MutualTlsCredentials() if not is_secure:
            raise invalid_field("/content/endpoint_url", "must begin with https:// to use a client certificate")
