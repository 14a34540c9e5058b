"""The checks of `atrium doctor`. A check returns what it found and, if there is a problem, what to do."""

from enum import StrEnum
from typing import NamedTuple


class Verdict(StrEnum):
    """The result of a check: `warn` if something works now but will cause problems, `fail` if it does not work."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


class Finding(NamedTuple):
    """What a check found, and advice if there is a problem."""

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
