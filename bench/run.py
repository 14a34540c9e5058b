"""`python -m bench.run`: start a server on a fresh data folder, load it, print what it gave and keep it as JSON.

Ratios are taken inside one run: the ceiling and everything measured by it take turns in short rounds. Growth is the
p50 of a single connection, because what one request costs is then seen alone; databases of all sizes stand beside each
other in one PostgreSQL, each under a server of its own, and take turns too. Deliveries, then live events, are measured
before, by themselves: one server on a PostgreSQL of its own, both gone when the histories are written.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from atrium.kit.embedded import embedded_postgres
from atrium.kit.settings import Settings
from bench import delivery, hooks, live, report, subjects
from bench.check import check_all
from bench.ground import new_database, scratch_folder, serving
from bench.load import BenchError, Load, require_wrk
from bench.rounds import in_turn
from bench.subjects import ALIKE, MAIN, SEND_ROOMS, SHAPES, WALKED, WALKERS, History, Special

PAGE = 50


@dataclass(frozen=True)
class Options:
    """How long, how much, and with what."""

    rounds: int
    seconds: int
    sizes: Sequence[int]
    need_gib: int
    workers: int
    data_dir: Path | None
    amounts: delivery.Amounts
    streams: live.Amounts


@dataclass(frozen=True)
class Ground:
    """Everything that is up while measuring: histories by size, the address of a server on each, and the special rooms
    and the unbatched server of the main one."""

    histories: dict[int, History]
    urls: dict[int, str]
    special: Special
    unbatched: str


def main() -> int:
    """Run the benchmark; 1 where it could not be run."""
    console, options = Console(highlight=False), _options()
    began = time.monotonic()
    try:
        require_wrk()
        delivered, subscribed = _deliveries(options, console)
        heard = _live_events(options, console)
        with ExitStack() as stack:
            ground = _prepare(options, stack, console)
            result = _measured(ground, options, console)
    except BenchError as error:
        console.print(f"[red]The benchmark cannot go on:[/] {error}", soft_wrap=True)
        return 1
    result["send"] |= subscribed
    result["delivery"], result["live"] = delivered, heard
    result["machine"] |= {"workers": options.workers, "rounds": options.rounds, "seconds_a_round": options.seconds}
    result["took_seconds"] = round(time.monotonic() - began)
    report.write(result)
    report.show(console, result)
    return 0


def _options() -> Options:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds, and no database of 10 million messages")
    parser.add_argument("--data-dir", type=Path, help="an empty or missing folder; removed at the end [/var/tmp/atb-*]")
    parser.add_argument(
        "--workers", type=int, default=Settings().workers, help="HTTP processes of each server [2, the default]"
    )
    given = parser.parse_args()
    sizes = [size for size in SHAPES if size <= MAIN or not given.quick]
    rounds, seconds, need = (3, 2, 4) if given.quick else (7, 3, 20)
    amounts = delivery.QUICK if given.quick else delivery.WHOLE
    streams = live.QUICK if given.quick else live.WHOLE
    return Options(rounds, seconds, sizes, need, given.workers, given.data_dir, amounts, streams)


def _deliveries(options: Options, console: Console) -> tuple[dict[str, Any], dict[str, float]]:
    """The figures of deliveries, and of sends that a webhook hears of."""
    with ExitStack() as stack:
        folder = stack.enter_context(scratch_folder(options.data_dir, options.need_gib))
        cluster = stack.enter_context(embedded_postgres(folder))
        ground = stack.enter_context(hooks.prepared(new_database(cluster, folder, "delivery"), options.workers))
        tell = stack.enter_context(console.status("measuring deliveries")).update
        delivered = delivery.measured(ground, options.amounts, tell)
        return delivered, delivery.subscribed_sends(ground, options.amounts, tell)  # messages sent are indexed for long


def _live_events(options: Options, console: Console) -> dict[str, Any]:
    """The figures of live events, by a server and a PostgreSQL of their own."""
    with ExitStack() as stack:
        folder = stack.enter_context(scratch_folder(options.data_dir, options.need_gib))
        cluster = stack.enter_context(embedded_postgres(folder))
        ground = stack.enter_context(live.prepared(new_database(cluster, folder, "live"), options.workers))
        tell = stack.enter_context(console.status("measuring live events")).update
        return live.measured(ground, options.streams, tell)


def _prepare(options: Options, stack: ExitStack, console: Console) -> Ground:
    folder = stack.enter_context(scratch_folder(options.data_dir, options.need_gib))
    cluster = stack.enter_context(embedded_postgres(folder))
    histories: dict[int, History] = {}
    for size in options.sizes:
        with console.status(f"writing {size:,} messages"):
            began = time.monotonic()
            histories[size] = subjects.seed_ordinary(new_database(cluster, folder, f"m{size}"), size)
        console.print(f"[dim]{size:,} messages written in {time.monotonic() - began:.0f} s[/]")
    main_one, workers = histories[MAIN].database, str(options.workers)
    special = subjects.seed_special(main_one)
    urls = {
        size: stack.enter_context(serving(history.database, workers=workers)) for size, history in histories.items()
    }
    unbatched = stack.enter_context(serving(main_one, workers=workers, batch_size="1"))
    return Ground(histories, urls, special, unbatched)


def _measured(ground: Ground, options: Options, console: Console) -> dict[str, Any]:
    loads, grown = _throughput_loads(ground), _growth_loads(ground)
    pages = [load for name, load in (loads | grown).items() if name.startswith(("page", "thread_page"))]
    steps = check_all(pages, loads["walk"], page=PAGE, walked=WALKED)
    with console.status("measuring") as status:
        rounds = in_turn(loads, rounds=options.rounds, seconds=options.seconds, tell=status.update)
        growth = in_turn(grown, rounds=options.rounds, seconds=2, tell=status.update)
    found = report.figures(rounds) | {"growth": report.growth(growth), "machine": report.machine()}
    found["walk"] |= {"walkers": WALKERS, "messages": WALKED, "requests_a_walk": steps}
    return found


def _throughput_loads(ground: Ground) -> dict[str, Load]:
    url, history = ground.urls[MAIN], ground.histories[MAIN]
    database, rooms = history.database, history.rooms
    return {
        "ceiling": subjects.ceiling(url, database.folder),
        "page": subjects.newest(url, database, rooms),
        "page_collected": subjects.collected(url, database, rooms),
        "page_unbatched": subjects.newest(ground.unbatched, database, rooms),
        "thread_page": subjects.thread_pages(url, database, ground.special.threads),
        "send": subjects.sends(url, database, rooms[:SEND_ROOMS]),
        "send_unbatched": subjects.sends(ground.unbatched, database, rooms[:SEND_ROOMS]),
        "walk": subjects.walks(url, database, ground.special),
    }


def _growth_loads(ground: Ground) -> dict[str, Load]:
    loads: dict[str, Load] = {}
    for size, history in ground.histories.items():
        loads[f"page/{size}"] = subjects.collected(ground.urls[size], history.database, history.rooms[:ALIKE], 1)
    for size, history in ground.histories.items():
        loads[f"page_anywhere/{size}"] = subjects.anywhere(ground.urls[size], history, history.rooms, "anywhere")
    for size, history in ground.histories.items():
        loads[f"send/{size}"] = subjects.sends(ground.urls[size], history.database, history.rooms[:ALIKE], "grown", 1)
    return loads | _window_loads(ground)


def _window_loads(ground: Ground) -> dict[str, Load]:
    url, history, special = ground.urls[MAIN], ground.histories[MAIN], ground.special
    one = History(history.database, special.one, [special.one_window])
    return {
        "page_windows/1": subjects.anywhere(url, one, one.rooms, "one-window", each=ALIKE),
        "page_windows/1000": subjects.windows(url, history.database, special),
        "send_windows/1": subjects.sends(url, history.database, one.rooms, "one", 1),
        "send_windows/1000": subjects.sends(url, history.database, [special.many_windows], "many", 1),
    }


if __name__ == "__main__":
    sys.exit(main())
