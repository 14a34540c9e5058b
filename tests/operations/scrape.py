"""Metrics as a scraper reads them, parsed by the client library."""

from collections.abc import Iterable
from typing import Any, TypeAlias

import httpx
from prometheus_client.parser import text_string_to_metric_families

from tests.conftest import TLS

Series: TypeAlias = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def parse(families: Iterable[Any]) -> Series:
    """Return the samples by name and labels."""
    return {(s.name, tuple(sorted(s.labels.items()))): s.value for family in families for s in family.samples}


def read(text: str) -> Series:
    """Return the samples in a text."""
    return parse(text_string_to_metric_families(text))


def scrape(url: str, token: str | None = None) -> Series:
    """Return the samples at a URL."""
    answer = httpx.get(url, headers={"authorization": f"Bearer {token}"} if token else {}, timeout=20, verify=TLS)
    assert answer.status_code == 200, answer.text
    return read(answer.text)


def total(series: Series, name: str, **labels: str) -> float:
    """Return the sum of all series with that name and these labels."""
    return sum(v for (n, found), v in series.items() if n == name and labels.items() <= dict(found).items())
