"""Counters of several processes add up to what one process would count; gauges of a dead process are removed."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client import Histogram as LibraryHistogram

from atrium.kit.settings import Settings
from atrium.operations.counter_pages import CounterPages, delete_all_pages, folder_of
from atrium.operations.counters import LATE, LATENESS, SECONDS, Counters, histogram_of_sizes
from atrium.operations.metrics import counted_families
from tests.operations.scrape import Series, parsed

SEEN = st.tuples(
    st.sampled_from(("GET", "POST")), st.sampled_from(("/a", "/b/{id}")), st.sampled_from((200, 201, 404, 503)),
    st.one_of(st.floats(0, 20), st.sampled_from(SECONDS)),
)  # fmt: skip


def shown(*counters: Counters) -> Series:
    families = counted_families([each.snapshot(os.getpid()) for each in counters])
    return parsed(families)


@given(st.lists(st.tuples(st.integers(0, 2), SEEN), max_size=40))
def test_three_processes_count_like_one(seen: list[tuple[int, tuple[str, str, int, float]]]) -> None:
    alone, apart = Counters(), [Counters(), Counters(), Counters()]
    for process, request in seen:
        alone.count_request(*request)
        apart[process].count_request(*request)
    one, three = shown(alone), shown(*apart)
    assert set(one) == set(three)
    counts = [name for name in one if not name[0].endswith(("_sum", "atrium_processes"))]
    assert all(one[name] == three[name] for name in counts)
    assert sum(three[name] for name in three if name[0] == "atrium_request_seconds_count") == len(seen)


@given(st.lists(st.one_of(st.floats(0, 10_000), st.sampled_from(LATENESS)), max_size=40))
def test_a_histogram_equals_that_of_the_client_library(values: list[float]) -> None:
    counters, registry = Counters(), CollectorRegistry()
    theirs = LibraryHistogram(LATE.name, LATE.help, buckets=LATE.bounds, registry=registry)
    for value in values:
        counters.observe(LATE, value)
        theirs.observe(value)
    mine = {name: value for name, value in shown(counters).items() if name[0].startswith(LATE.name)}
    for line in generate_latest(registry).decode().splitlines():
        name, _, value = line.partition(" ")
        if name.startswith(f"{LATE.name}_bucket"):
            bound = float(name.partition('"')[2].partition('"')[0])
            assert mine[f"{LATE.name}_bucket", (("le", f"{bound:g}" if bound < 1e9 else "+Inf"),)] == float(value)


def test_sizes_are_counted_in_buckets() -> None:
    assert histogram_of_sizes([0, 3, 1, 2, 0, 1]) == msgspec.convert(
        {"counts": [3, 1, 2, 1, 0, 0, 0, 0, 0], "total": 16}, type(histogram_of_sizes([]))
    )


def test_counters_of_a_dead_process_stay_and_its_gauges_do_not(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, port=1)
    delete_all_pages(settings)
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    left = Counters(in_flight=7)
    left.count_request("GET", "/a", 200, 0.1)
    folder_of(settings).mkdir(parents=True)
    (folder_of(settings) / f"{dead.pid}-1.json").write_bytes(msgspec.json.encode(left.snapshot(dead.pid)))
    mine = Counters(in_flight=1)
    mine.count_request("GET", "/a", 200, 0.1)
    pages = CounterPages(settings, mine)
    pages.write()
    series = parsed(counted_families(list(pages.read_all())))
    assert series["atrium_request_seconds_count", (("method", "GET"), ("route", "/a"), ("status", "2xx"))] == 2
    assert series["atrium_requests_in_flight", ()] == 1
    assert series["atrium_processes", (("kind", "http"),)] == 1
    delete_all_pages(settings)
    assert len(list(pages.read_all())) == 1
