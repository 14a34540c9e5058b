"""Settings, which a process reads from `ATRIUM_*` environment variables when it starts."""

import os
import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import parse_qsl, urlsplit, urlunsplit
from uuid import UUID

import platformdirs
from pydantic import (
    AfterValidator,
    BeforeValidator,
    ByteSize,
    Field,
    StringConstraints,
    ValidationInfo,
    field_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from atrium.kit.mail.smtp import parse_sender, parse_smtp_url

LOOPBACK = (IPv4Network("127.0.0.0/8"), IPv6Network("::1/128"))
DURATIONS = {"history_window", "audit_retention", "session_lifetime", "slow_request"}
UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}


def duration(text: str | timedelta) -> timedelta:
    """Parse a duration such as `10d`, `90m` or `1h30m`. Raise ValueError for anything else."""
    if isinstance(text, timedelta):
        return text
    parts = re.findall(r"(\d+)(ms|[smhd])", text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        raise ValueError(f"{text!r} is not a duration such as 10d, 90m or 1h30m")
    try:
        return timedelta(seconds=sum(int(number) * UNITS[unit] for number, unit in parts))
    except OverflowError:
        raise ValueError(f"{text!r} is too long") from None


Duration = Annotated[timedelta, BeforeValidator(duration)]


def _split(text: object) -> object:
    """Split `a, b` at its commas."""
    return [part.strip() for part in text.split(",") if part.strip()] if isinstance(text, str) else text


def parse_storage_url(text: str) -> tuple[str, dict[str, str]]:
    """Split `s3://bucket/prefix?endpoint=…` into the URL and its options. Raise ValueError for anything else."""
    parts = urlsplit(text)
    if parts.scheme not in ("s3", "gs", "az") or not parts.netloc:
        raise ValueError("must be s3://bucket/prefix, gs://bucket/prefix or az://account/container/prefix")
    return urlunsplit(parts._replace(query="")), dict(parse_qsl(parts.query))


Durations = Annotated[tuple[Duration, ...], NoDecode, BeforeValidator(_split)]
Origin = Annotated[str, StringConstraints(pattern=r"^(\*|https?://[^/\s]+)$")]
Origins = Annotated[tuple[Origin, ...], NoDecode, BeforeValidator(_split)]
Networks = Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode, BeforeValidator(_split)]


# The languages for which every PostgreSQL since 16 has a stemmer.
Language = Literal[
    "arabic", "armenian", "basque", "catalan", "danish", "dutch", "english", "finnish", "french", "german", "greek",
    "hindi", "hungarian", "indonesian", "irish", "italian", "lithuanian", "nepali", "norwegian", "portuguese",
    "romanian", "russian", "serbian", "spanish", "swedish", "tamil", "turkish", "yiddish",
]  # fmt: skip
Languages = Annotated[tuple[Language, ...], NoDecode, BeforeValidator(_split)]


def _valid_for(parse: Callable[[str], object]) -> AfterValidator:
    """Return a validator that accepts a text if `parse` does, and leaves it unchanged."""

    def check(text: str) -> str:
        parse(text)
        return text

    return AfterValidator(check)


def parse_transcriber(text: str) -> str:
    """Return the text if it is an http or https URL. Raise ValueError for anything else."""
    if not re.fullmatch(r"https?://[^\s/]+\S*", text):
        raise ValueError("must be a URL such as https://api.example.org")
    return text


Transcriber = Annotated[str, _valid_for(parse_transcriber)]
SmtpUrl = Annotated[str, _valid_for(parse_smtp_url)]
MailSender = Annotated[str, _valid_for(parse_sender)]
StorageUrl = Annotated[str, _valid_for(parse_storage_url)]


def _parse_web_address(text: str) -> object:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment or " " in text:
        raise ValueError("is not an http or https URL such as http://127.0.0.1:4318")
    return parts


WebAddress = Annotated[str, _valid_for(_parse_web_address)]


def default_data_dir() -> Path:
    """Return the default data folder.

    Under root it is not in the home folder, which the user of the embedded PostgreSQL cannot access.
    """
    return Path("/var/lib/atrium") if os.geteuid() == 0 else platformdirs.user_data_path("atrium")


def _milliseconds(length: timedelta) -> str:
    return f"{round(length / timedelta(milliseconds=1))}ms"


def _parse_database_url(text: str) -> object:
    if not re.fullmatch(r"postgres(ql)?://\S+", text):
        raise ValueError("is not a URL such as postgresql://user:password@host/database")
    return text


DatabaseUrl = Annotated[str, _valid_for(_parse_database_url)]


class Settings(BaseSettings):
    """The settings of an operator. Every field is documented in `docs/settings.md`."""

    model_config = SettingsConfigDict(
        env_prefix="ATRIUM_", frozen=True,
        hide_input_in_errors=True,  # it may be a password
    )  # fmt: skip

    data_dir: Path = Field(default_factory=default_data_dir, description="folder of the embedded database and of files")
    database_url: str | None = Field(default=None, description="PostgreSQL 16 or later, instead of the embedded one")
    database_replicas: DatabaseUrl | None = Field(
        default=None,
        repr=False,
        description="replicas that may answer reads: a PostgreSQL URL, perhaps with several hosts",
    )
    host: str = Field(default="127.0.0.1", description="address to listen on")
    port: int = Field(default=8700, ge=0, le=65535, description="port to listen on")
    workers: int = Field(default=2, ge=1, le=64, description="HTTP processes")
    public_url: str | None = Field(default=None, description="URL of this server for people; links begin with it")
    cors_origins: Origins = Field(default=(), description="allowed CORS origins; `*`: all")
    trusted_proxies: Networks = Field(default=(), description="networks of proxies whose X-Forwarded-For is trusted")
    audit_retention: Duration | None = Field(
        default=None, ge=timedelta(days=1), description="retention of audit entries; unset: forever"
    )
    rate_limit: int = Field(
        default=100, ge=0,
        description="requests per second of an actor in each HTTP process, with a burst of 5 seconds; 0: no limit",
    )  # fmt: skip
    history_window: Duration = Field(
        default=timedelta(days=10), ge=timedelta(milliseconds=1), le=timedelta(days=36_500),
        description="length of a room's history window",
    )  # fmt: skip
    batch_size: int = Field(
        default=16,
        ge=1,
        le=1000,
        description="maximum number of requests of one kind per statement, twice as many for sends",
    )
    secret_key: str | None = Field(
        default=None, min_length=32, repr=False, description="key that encrypts webhook secrets in the database"
    )
    retry_schedule: Durations = Field(
        default=(timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30), timedelta(hours=2),
                 timedelta(hours=24)),
        max_length=20, description="pauses before the retries of a failed delivery",
    )  # fmt: skip
    pause_counts: Literal["first_attempt", "first_retry", "exhausted"] = Field(
        default="first_attempt", description="failed attempt at which an event counts towards pausing its webhook"
    )
    webhook_allow_networks: Networks = Field(default=(), description="private networks that webhooks may deliver to")
    smtp_url: SmtpUrl | None = Field(
        default=None, repr=False, description="URL of the mail server; without one, mail is only stored"
    )
    mail_from: MailSender = Field(default="atrium@localhost", description="sender of mail")
    # signing in
    session_lifetime: Duration = Field(
        default=timedelta(days=30), ge=timedelta(minutes=1), le=timedelta(days=400),
        description="time that a browser stays signed in",
    )  # fmt: skip
    oidc_client_id: str | None = Field(default=None, description="client id at the provider")
    oidc_issuer: WebAddress | None = Field(default=None, description="issuer of the OpenID Connect provider")
    oidc_client_secret: str | None = Field(default=None, repr=False, description="client secret at the provider")
    oidc_name: str = Field(default="single sign-on", max_length=60, description="text of the sign-in button")
    oidc_organization: UUID | None = Field(default=None, description="organization that new people join")
    oidc_default_role: Literal["guest", "member", "reader"] = Field(default="member", description="their role there")
    streams: int = Field(default=10_000, ge=1, le=100_000, description="live event streams per HTTP process")
    streams_per_actor: int = Field(
        default=50,
        ge=1,
        le=100_000,
        description="live event streams of an actor, with all keys together, per HTTP process",
    )
    # health, metrics, logs, traces
    metrics_port: int | None = Field(default=None, ge=1, le=65535, description="separate port of /metrics")
    metrics_host: str = Field(default="127.0.0.1", description="address of that port")
    metrics_token: str | None = Field(
        default=None, min_length=16, repr=False, description="bearer token for /metrics on the public port"
    )
    log_format: Literal["json", "console"] | None = Field(
        default=None, description="format of log lines; unset: text on a terminal, else JSON"
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(default="info", description="minimum log level")
    access_log: Literal["off", "problems", "all"] = Field(default="problems", description="requests that are logged")
    slow_request: Duration = Field(
        default=timedelta(seconds=1), gt=timedelta(0), description="threshold above which a request is logged as slow"
    )
    otlp_endpoint: WebAddress | None = Field(
        default=None, repr=False, description="URL of the OpenTelemetry collector for traces"
    )
    storage: StorageUrl | None = Field(
        default=None, description="storage of media instead of the data folder: s3://bucket/prefix?endpoint=…"
    )
    max_upload: ByteSize = Field(default=ByteSize(4 << 30), ge=1, description="maximum size of a recording in bytes")
    max_attachment: ByteSize = Field(
        default=ByteSize(100 << 20), ge=1, description="maximum size of an attachment in bytes"
    )
    storage_quota: ByteSize | None = Field(
        default=None, ge=1, description="maximum size of all files of an organization in bytes; unset: no limit"
    )
    transcriber: Transcriber | None = Field(
        default=None,
        description="URL of a server with the OpenAI transcription API, which transcribes recordings",
    )
    transcriber_key: str | None = Field(default=None, repr=False, description="API key for that server")
    transcriber_model: str = Field(default="whisper-1", min_length=1, description="model for that server")
    transcription_jobs: int = Field(
        default=1, ge=1, le=32, description="recordings that a worker transcribes in parallel"
    )
    connections: int = Field(default=12, ge=3, le=200, description="database connections of each HTTP process")
    # search
    search_languages: Languages = Field(
        default=("english", "french", "german"), max_length=8,
        description="languages whose word forms search recognizes",
    )  # fmt: skip
    web_application: bool = Field(default=True, description="serve the web application at /, if it was built")

    @field_validator("oidc_issuer")
    @classmethod
    def _require_client_id(cls, issuer: str | None, info: ValidationInfo) -> str | None:
        if issuer and not info.data.get("oidc_client_id"):
            raise ValueError("also requires ATRIUM_OIDC_CLIENT_ID")
        return issuer

    def with_changes(self, **changes: object) -> Self:
        """Return these settings with changes. A field whose change is None is kept."""
        return self.model_validate(self.model_dump() | {k: v for k, v in changes.items() if v is not None})

    def environment(self) -> dict[str, str]:
        """Return the `ATRIUM_*` variables that give another process the same settings."""
        values = self.model_dump(mode="json", exclude_none=True, exclude=DURATIONS | {"retry_schedule"})
        lengths = {name: getattr(self, name) for name in DURATIONS}
        values |= {name: _milliseconds(length) for name, length in lengths.items() if length is not None}
        values["retry_schedule"] = ",".join(map(_milliseconds, self.retry_schedule))
        for listed in ("cors_origins", "webhook_allow_networks", "trusted_proxies", "search_languages"):
            values[listed] = ",".join(values[listed])
        return {f"ATRIUM_{name.upper()}": str(value) for name, value in values.items()}

    @property
    def allowed_networks(self) -> Sequence[IPv4Network | IPv6Network]:
        """Return the private networks that webhooks may deliver to: loopback too, if only this machine can connect to
        the server. With a public URL or a trusted proxy, others may connect through a proxy."""
        is_local = self.host in ("localhost", "127.0.0.1", "::1") and not (self.public_url or self.trusted_proxies)
        return (*self.webhook_allow_networks, *(LOOPBACK if is_local else ()))

    @property
    def measures(self) -> bool:
        """Return whether /metrics is enabled."""
        return self.metrics_port is not None or self.metrics_token is not None

    @property
    def window_ms(self) -> int:
        """Return the length of a history window in milliseconds."""
        return round(self.history_window / timedelta(milliseconds=1))

    @property
    def is_https(self) -> bool:
        """Return whether the URL of this server begins with https."""
        return self.base_url.startswith("https:")

    @property
    def base_url(self) -> str:
        """Return the URL of this server, without a slash at the end."""
        return (self.public_url or f"http://{self.host}:{self.port}").rstrip("/")
