"""What `atrium doctor` looks at. A check says what it found and, where that is not well, what to do."""

from enum import StrEnum
from typing import NamedTuple


class Verdict(StrEnum):
    """`warn`: it works, and something will hurt; `fail`: it does not work."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


class Finding(NamedTuple):
    """The outcome of one check."""

    check: str
    verdict: Verdict
    said: str
    advice: str | None = None


def ok(check: str, said: str) -> Finding:
    """All is well."""
    return Finding(check, Verdict.OK, said)


def warn(check: str, said: str, advice: str) -> Finding:
    """It works, and something will hurt."""
    return Finding(check, Verdict.WARN, said, advice)


def fail(check: str, said: str, advice: str) -> Finding:
    """It does not work."""
    return Finding(check, Verdict.FAIL, said, advice)
