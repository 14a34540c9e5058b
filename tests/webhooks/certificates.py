"""A certificate authority, and a real TLS receiver that demands client certificates, each connection on a thread."""

import socket
import ssl
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from ipaddress import IPv4Address
from pathlib import Path
from threading import Thread

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

LOOPBACK = x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))])


def pem(key: ec.EllipticCurvePrivateKey) -> str:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


@dataclass
class Issued:
    """A certificate with its key, in PEM."""

    certificate: str
    private_key: str

    @property
    def as_authentication(self) -> dict[str, str]:
        return {"type": "mutual_tls", "certificate": self.certificate, "private_key": self.private_key}


class Authority:
    """A certificate authority that issues and revokes certificates."""

    def __init__(self, name: str = "Test authority") -> None:
        self._key, self._name = ec.generate_private_key(ec.SECP256R1()), self._common_name(name)
        uses = x509.KeyUsage(True, False, False, False, False, True, True, False, False)
        built = self._builder(self._name, self._key).add_extension(x509.BasicConstraints(True, None), True)
        self.certificate = self._sign(built.add_extension(uses, True))
        self._revoked: list[int] = []

    def issue(
        self, name: str, *, ends: datetime | None = None, key: ec.EllipticCurvePrivateKey | None = None
    ) -> Issued:
        """Issue a certificate for a client, and for servers on loopback."""
        key = key or ec.generate_private_key(ec.SECP256R1())
        built = self._builder(self._common_name(name), key, ends or datetime.now(UTC) + timedelta(days=90))
        return Issued(self._sign(built.add_extension(LOOPBACK, False)), pem(key))

    def revoke(self, issued: Issued) -> None:
        self._revoked.append(x509.load_pem_x509_certificate(issued.certificate.encode()).serial_number)

    @property
    def revocations(self) -> str:
        now = datetime.now(UTC)
        built = x509.CertificateRevocationListBuilder().issuer_name(self._name)
        built = built.last_update(now - timedelta(days=1)).next_update(now + timedelta(days=9))
        for number in self._revoked:
            entry = x509.RevokedCertificateBuilder().serial_number(number).revocation_date(now - timedelta(hours=1))
            built = built.add_revoked_certificate(entry.build())
        return built.sign(self._key, hashes.SHA256()).public_bytes(Encoding.PEM).decode()

    def _common_name(self, name: str) -> x509.Name:
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])

    def _builder(self, subject: x509.Name, key: ec.EllipticCurvePrivateKey, ends: datetime | None = None):
        now = datetime.now(UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=900))
            .not_valid_after(ends or now + timedelta(days=900))
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), False)
        )

    def _sign(self, built: x509.CertificateBuilder) -> str:
        return built.sign(self._key, hashes.SHA256()).public_bytes(Encoding.PEM).decode()


@dataclass
class TlsReceiver:
    """The URL, and of each connection the clients whose requests it brought."""

    url: str = ""
    connections: list[list[str]] = field(default_factory=list)

    @property
    def clients(self) -> dict[str, int]:
        """The number of requests of each client."""
        return Counter(client for clients in self.connections for client in clients)


def server_context(authority: Authority, folder: Path, newest: ssl.TLSVersion) -> ssl.SSLContext:
    """Return the context of a server that demands certificates of the authority that are not revoked."""
    server = authority.issue("server")
    chain, trusted = folder / "server.pem", folder / "trusted.pem"
    chain.write_text(server.private_key + server.certificate)
    trusted.write_text(authority.certificate + authority.revocations)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain)
    context.load_verify_locations(trusted)
    context.verify_mode = ssl.CERT_REQUIRED
    context.verify_flags |= ssl.VERIFY_CRL_CHECK_LEAF
    context.maximum_version = newest
    return context


@contextmanager
def tls_receiver(context: ssl.SSLContext) -> Iterator[TlsReceiver]:
    """Run a receiver that answers every request with 200."""
    receiver = TlsReceiver()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        receiver.url = f"https://127.0.0.1:{listening.getsockname()[1]}/hook"
        Thread(target=partial(_accept, listening, context, receiver), daemon=True).start()
        yield receiver
        listening.shutdown(socket.SHUT_RDWR)


def _accept(listening: socket.socket, context: ssl.SSLContext, receiver: TlsReceiver) -> None:
    with suppress(OSError):
        while True:
            accepted, _ = listening.accept()
            Thread(target=partial(_serve, accepted, context, receiver), daemon=True).start()


def _serve(accepted: socket.socket, context: ssl.SSLContext, receiver: TlsReceiver) -> None:
    with accepted.dup() as raw, context.wrap_socket(accepted, True, do_handshake_on_connect=False) as connection:
        try:
            connection.do_handshake()
        except ssl.SSLError:
            raw.shutdown(socket.SHUT_WR)  # the alert has been sent; a client that still writes is not reset
            while raw.recv(4096):
                pass
            return
        subject = dict(each[0] for each in connection.getpeercert()["subject"])["commonName"]
        clients: list[str] = []
        receiver.connections.append(clients)
        with suppress(OSError), connection.makefile("rb") as reader:
            while _read_request(reader):
                clients.append(subject)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")


def _read_request(reader) -> bool:
    length = 0
    for line in iter(reader.readline, b""):
        if line == b"\r\n":
            return len(reader.read(length)) == length
        name, _, value = line.partition(b":")
        length = int(value) if name.lower() == b"content-length" else length
    return False
