"""Client certificates, with which Atrium identifies itself to a receiver (mutual TLS)."""

import asyncio
import secrets
import ssl
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import lru_cache
from tempfile import NamedTemporaryFile
from typing import NamedTuple, TypeVar

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

T = TypeVar("T")

MAX_KEY_BITS, MAX_KEY_LENGTH = 4096, 4000  # an RSA key of 4096 bits in PEM has 3272 characters
MAX_CONTEXTS = 64  # each includes the certificates of all public authorities: almost a megabyte
# OpenSSL is slow with keys and contexts. With one thread, no context is made twice.
_thread = ThreadPoolExecutor(1, thread_name_prefix="client-certificates")


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


async def in_thread(work: Callable[[], T]) -> T:
    """Return the result of `work`, a call of `require_usable` or `client_context`, without blocking the event loop."""
    return await asyncio.get_running_loop().run_in_executor(_thread, work)


def require_usable(certificate: str, private_key: str, now: datetime) -> None:
    """Raise InvalidCertificate or InvalidPrivateKey unless connections can use the two. See `in_thread`."""
    if certificate_facts(certificate).ends_at <= now:
        raise InvalidCertificate("has expired")
    try:
        public_key = _certificates(certificate)[0].public_key()
    except (ValueError, UnsupportedAlgorithm):
        raise InvalidCertificate("has a key that is not supported") from None
    if getattr(public_key, "key_size", 0) > MAX_KEY_BITS:
        raise InvalidCertificate(f"has a key of more than {MAX_KEY_BITS} bits")
    key = _checked_key(private_key)
    form = Encoding.DER, PublicFormat.SubjectPublicKeyInfo
    if key.public_key().public_bytes(*form) != public_key.public_bytes(*form):
        raise InvalidPrivateKey("does not belong to the first certificate")
    try:
        client_context(certificate, private_key)
    except ssl.SSLError as error:
        raise InvalidCertificate(f"cannot be used: {_words(error)}") from None


@lru_cache(MAX_CONTEXTS)
def client_context(certificate: str, private_key: str) -> ssl.SSLContext:
    """Return a context for connections with this certificate. The connections of two contexts are never shared.

    Raise ssl.SSLError if OpenSSL does not accept the two. See `in_thread`.
    """
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    # OpenSSL reads the key from a file only. In the file it is encrypted, so that a process that is killed here leaves
    # nothing that anyone could use.
    password = secrets.token_bytes(32).hex().encode()
    key = _load(private_key)
    with NamedTemporaryFile() as file:
        encryption = BestAvailableEncryption(password)
        file.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption) + certificate.encode())
        file.flush()
        context.load_cert_chain(file.name, password=password)
    return context


def _checked_key(private_key: str) -> PrivateKeyTypes:
    """Return a private key that is small enough for quick handshakes. Raise InvalidPrivateKey."""
    if len(private_key) > MAX_KEY_LENGTH:
        raise InvalidPrivateKey(f"is longer than {MAX_KEY_LENGTH} characters")
    try:
        key = _load(private_key)
        if isinstance(key, RSAPrivateKey):  # else a number that is far too large could make a handshake slow
            key.private_numbers().private_key(unsafe_skip_rsa_key_validation=True)
    except TypeError:
        raise InvalidPrivateKey("is encrypted; enter it without a passphrase") from None
    except (ValueError, UnsupportedAlgorithm):
        raise InvalidPrivateKey("is not a private key in PEM format") from None
    return key


def _load(private_key: str) -> PrivateKeyTypes:
    """Load a key without testing whether the primes of RSA are prime: with 8192 bits, that takes three seconds."""
    return load_pem_private_key(private_key.encode(), password=None, unsafe_skip_rsa_key_validation=True)


def _certificates(text: str) -> list[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(text.encode())
    except ValueError:
        raise InvalidCertificate("is not a certificate in PEM format") from None


def _words(error: ssl.SSLError) -> str:
    return str(error.reason or "not supported").replace("_", " ").lower()
