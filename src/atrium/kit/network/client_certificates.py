"""Client certificates, with which Atrium identifies itself to a receiver (mutual TLS)."""

import secrets
import ssl
from datetime import datetime
from functools import lru_cache
from tempfile import NamedTemporaryFile
from typing import NamedTuple

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

MAX_CONTEXTS = 64  # each includes the certificates of all public authorities: almost a megabyte
# Alerts with which a receiver rejects a certificate, as OpenSSL names them (RFC 8446, section 6.2).
REJECTIONS = (
    "BAD_CERTIFICATE",
    "UNSUPPORTED_CERTIFICATE",
    "CERTIFICATE_REVOKED",
    "CERTIFICATE_EXPIRED",
    "CERTIFICATE_UNKNOWN",
    "UNKNOWN_CA",
    "ACCESS_DENIED",
)
REFUSED = "TLS: the receiver refused the client certificate"
REQUIRED = "TLS: the receiver requires a client certificate"


class InvalidCertificate(Exception):
    """The certificate cannot be used; `str()` is the message for users."""


class InvalidPrivateKey(Exception):
    """The private key cannot be used; `str()` is the message for users."""


class CertificateFacts(NamedTuple):
    """What a certificate says; `fingerprint` is the SHA-256 of its DER form, in hex."""

    subject: str
    issuer: str
    fingerprint: str
    ends_at: datetime


def only_certificates(text: str) -> str:
    """Return the certificates in a PEM text, without anything else, such as a private key. Raise InvalidCertificate."""
    return "".join(each.public_bytes(Encoding.PEM).decode() for each in _certificates(text))


@lru_cache(1000)
def certificate_facts(certificate: str) -> CertificateFacts:
    """Return the facts of the first certificate of a PEM chain. Raise InvalidCertificate."""
    first = _certificates(certificate)[0]
    subject, issuer = first.subject.rfc4514_string(), first.issuer.rfc4514_string()
    return CertificateFacts(subject, issuer, first.fingerprint(SHA256()).hex(), first.not_valid_after_utc)


def require_usable(certificate: str, private_key: str, now: datetime) -> None:
    """Raise InvalidCertificate or InvalidPrivateKey unless connections can use the two."""
    if certificate_facts(certificate).ends_at <= now:
        raise InvalidCertificate("has expired")
    try:
        key = load_pem_private_key(private_key.encode(), password=None)
    except TypeError:
        raise InvalidPrivateKey("is encrypted; enter it without a passphrase") from None
    except (ValueError, UnsupportedAlgorithm):
        raise InvalidPrivateKey("is not a private key in PEM format") from None
    form = Encoding.DER, PublicFormat.SubjectPublicKeyInfo
    if key.public_key().public_bytes(*form) != _certificates(certificate)[0].public_key().public_bytes(*form):
        raise InvalidPrivateKey("does not belong to the first certificate")
    try:
        client_context(certificate, private_key)
    except ssl.SSLError as error:
        raise InvalidCertificate(f"cannot be used: {_words(error)}") from None


@lru_cache(MAX_CONTEXTS)
def client_context(certificate: str, private_key: str) -> ssl.SSLContext:
    """Return a context for connections with this certificate. The connections of two contexts are never shared.

    Raise ssl.SSLError if OpenSSL does not accept the two.
    """
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    # OpenSSL reads the key from a file only. In the file it is encrypted, so that a process that is killed here leaves
    # nothing that anyone could use.
    password = secrets.token_bytes(32).hex().encode()
    key = load_pem_private_key(private_key.encode(), password=None)
    with NamedTemporaryFile() as file:
        encryption = BestAvailableEncryption(password)
        file.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption) + certificate.encode())
        file.flush()
        context.load_cert_chain(file.name, password=password)
    return context


def with_certificate_error(failure: str, error: BaseException, *, has_certificate: bool) -> str:
    """Return the message for a failed connection: that the receiver refused the client certificate, or `failure`.

    With TLS 1.3 a receiver refuses it after the handshake, and what says so is lost if it closes the connection first.
    """
    cause = getattr(error, "os_error", None) or error.__cause__ or error
    reason = str(getattr(cause, "reason", "") or "")
    if "ALERT" in reason and reason.endswith("CERTIFICATE_REQUIRED"):
        return REQUIRED
    if not has_certificate:
        return failure
    if "ALERT" in reason and reason.endswith(REJECTIONS):
        return f"{REFUSED} ({_words(cause)})"
    is_closed = isinstance(cause, ConnectionError) and not isinstance(cause, ConnectionRefusedError)
    return f"{failure}; the receiver may have refused the client certificate" if is_closed else failure


def _certificates(text: str) -> list[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(text.encode())
    except ValueError:
        raise InvalidCertificate("is not a certificate in PEM format") from None


def _words(error: BaseException) -> str:
    reason = str(getattr(error, "reason", "") or "not supported")
    return reason.rpartition("ALERT_")[2].replace("_", " ").lower()
