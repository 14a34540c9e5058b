"""The checks of `atrium doctor`. A check returns a finding, with advice if there is a problem."""

from enum import StrEnum
from pathlib import Path
from typing import NamedTuple


class Verdict(StrEnum):
    """The result of a check: `warn` if something works now but will cause problems, `fail` if it does not work."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


class Finding(NamedTuple):
    """The result of a check, and advice if there is a problem."""

    check: str
    verdict: Verdict
    summary: str
    advice: str | None = None


def ok(check: str, summary: str) -> Finding:
    """Return a finding without a problem."""
    return Finding(check, Verdict.OK, summary)


def warn(check: str, summary: str, advice: str) -> Finding:
    """Return a finding that will cause problems."""
    return Finding(check, Verdict.WARN, summary, advice)


def fail(check: str, summary: str, advice: str) -> Finding:
    """Return a finding of something that does not work."""
    return Finding(check, Verdict.FAIL, summary, advice)


def owner_advice(file: Path) -> str:
    """Return the advice for a private file that Atrium cannot read."""
    return f"Change its owner to the user that runs Atrium, with mode 600: chown USER {file}; chmod 600 {file}"
