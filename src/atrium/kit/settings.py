"""Settings: read from `ATRIUM_*` environment variables, once, at the start of a process."""

import os
import re
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Self

import platformdirs
from pydantic import BeforeValidator, Field
from pydantic_settings import BaseSettings, SettingsConfigDict

UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}


def duration(text: str | timedelta) -> timedelta:
    """`10d`, `90m`, `1h30m`: a length of time. Raises ValueError for anything else."""
    if isinstance(text, timedelta):
        return text
    parts = re.findall(r"(\d+)(ms|[smhd])", text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        raise ValueError(f"{text!r} is not a duration such as 10d, 90m or 1h30m")
    try:
        return timedelta(seconds=sum(int(number) * UNITS[unit] for number, unit in parts))
    except OverflowError:
        raise ValueError(f"{text!r} is longer than can be counted") from None


Duration = Annotated[timedelta, BeforeValidator(duration)]


def default_data_dir() -> Path:
    """Where data lives when nobody says otherwise.

    Root's own home is not used: the embedded PostgreSQL runs as another user, who has to be able to walk there.
    """
    return Path("/var/lib/atrium") if os.geteuid() == 0 else platformdirs.user_data_path("atrium")


class Settings(BaseSettings):
    """What an operator can set. Every field is documented in `docs/settings.md`."""

    model_config = SettingsConfigDict(env_prefix="ATRIUM_", frozen=True)

    data_dir: Path = Field(default_factory=default_data_dir, description="folder of the embedded database and files")
    database_url: str | None = Field(
        default=None, description="a PostgreSQL 16 or later to use instead of the embedded one"
    )
    host: str = Field(default="127.0.0.1", description="address to listen on")
    port: int = Field(default=8700, ge=0, le=65535, description="port to listen on")
    workers: int = Field(default=2, ge=1, le=64, description="HTTP processes")
    public_url: str | None = Field(default=None, description="where people reach this server; links start with it")
    rate_limit: int = Field(
        default=100, ge=0, description="requests a second a key may make, 5 s of them in a burst; 0: no limit"
    )
    history_window: Duration = Field(
        default=timedelta(days=10), ge=timedelta(milliseconds=1), le=timedelta(days=36_500),
        description="length of a room's history window",
    )  # fmt: skip
    batch_size: int = Field(
        default=16, ge=1, le=1000, description="most requests of one kind answered by one statement"
    )
    connections: int = Field(default=12, ge=3, le=200, description="database connections of each HTTP process")
    bench: bool = Field(
        default=False, description="serve the fixed 16 KB answer at /bench/ceiling that `make bench` measures by"
    )

    def with_changes(self, **changes: object) -> Self:
        """These settings with the given fields set; None leaves a field as it is."""
        return self.model_validate(self.model_dump() | {k: v for k, v in changes.items() if v is not None})

    def environment(self) -> dict[str, str]:
        """The `ATRIUM_*` variables that make another process read these same settings."""
        values = self.model_dump(mode="json", exclude_none=True, exclude={"history_window"})
        values["history_window"] = f"{round(self.history_window / timedelta(milliseconds=1))}ms"
        return {f"ATRIUM_{name.upper()}": str(value) for name, value in values.items()}

    @property
    def window_ms(self) -> int:
        """Length of a history window in milliseconds."""
        return round(self.history_window / timedelta(milliseconds=1))

    @property
    def base_url(self) -> str:
        """Where people reach this server, without a slash at the end."""
        return (self.public_url or f"http://{self.host}:{self.port}").rstrip("/")
