"""`python -m bench.run`: start servers on a fresh folder, put load on them, print the figures, save them as JSON.

Ratios are within one run: the ceiling and everything compared with it take turns in short rounds. Growth is the p50 of
a single connection, which shows the cost of one request; databases of all sizes are in one PostgreSQL, each with its
own server, and take turns too. Deliveries and live events are measured first, each with its own server and PostgreSQL.
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

from atrium.kit.postgres.embedded import embedded_postgres
from atrium.kit.settings import Settings
from bench import delivery, delivery_environment, footprint, live, report, subjects
from bench.check import check_all
from bench.environment import free_port, new_database, running_server, scratch_folder
from bench.load import BenchError, Load, require_wrk
from bench.rounds import interleave
from bench.subjects import ALIKE, MAIN, SEND_ROOMS, SHAPES, WALKED, WALKERS, History, Special

PAGE = 50


@dataclass(frozen=True)
class Options:
    """The options of a run."""

    rounds: int
    seconds: int
    sizes: Sequence[int]
    need_gib: int
    workers: int
    data_dir: Path | None
    amounts: delivery.Amounts
    streams: live.Amounts


@dataclass(frozen=True)
class Environment:
    """The histories by size, the URL of a server on each, and the special rooms and unbatched server of one of them."""

    histories: dict[int, History]
    urls: dict[int, str]
    special: Special
    unbatched: str


def main() -> int:
    """Run the benchmark and return the exit status."""
    console, options = Console(highlight=False), _options()
    began = time.monotonic()
    try:
        require_wrk()
        started = _footprint(options, console)
        delivered, subscribed = _deliveries(options, console)
        streamed = _live_events(options, console)
        with ExitStack() as stack:
            environment = _prepare(options, stack, console)
            result = _measure(environment, options, console)
    except BenchError as error:
        console.print(f"[red]The benchmark failed:[/] {error}", soft_wrap=True)
        return 1
    result["send"] |= subscribed
    result["delivery"], result["live"], result["footprint"] = delivered, streamed, started
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
    args = parser.parse_args()
    sizes = [size for size in SHAPES if size <= MAIN or not args.quick]
    rounds, seconds, need = (3, 2, 4) if args.quick else (7, 3, 20)
    amounts = delivery.QUICK if args.quick else delivery.WHOLE
    streams = live.QUICK if args.quick else live.WHOLE
    return Options(rounds, seconds, sizes, need, args.workers, args.data_dir, amounts, streams)


def _footprint(options: Options, console: Console) -> dict[str, Any]:
    """Return the time of a start, and the memory of an idle service."""
    with scratch_folder(options.data_dir, options.need_gib) as folder, console.status("measuring starts"):
        return footprint.measure(Settings(data_dir=folder, port=free_port(), workers=options.workers))


def _deliveries(options: Options, console: Console) -> tuple[dict[str, Any], dict[str, float]]:
    """Return the figures of deliveries, and of sends with a subscribed webhook."""
    with ExitStack() as stack:
        folder = stack.enter_context(scratch_folder(options.data_dir, options.need_gib))
        cluster = stack.enter_context(embedded_postgres(folder))
        environment = stack.enter_context(
            delivery_environment.delivery_environment(new_database(cluster, folder, "delivery"), options.workers)
        )
        progress = stack.enter_context(console.status("measuring deliveries")).update
        delivered = delivery.measure_deliveries(environment, options.amounts, progress)
        return delivered, delivery.subscribed_sends(
            environment, options.amounts, progress
        )  # last, since the messages are indexed for a while


def _live_events(options: Options, console: Console) -> dict[str, Any]:
    """Return the figures of live events, with a server and PostgreSQL of their own."""
    with ExitStack() as stack:
        folder = stack.enter_context(scratch_folder(options.data_dir, options.need_gib))
        cluster = stack.enter_context(embedded_postgres(folder))
        environment = stack.enter_context(live.live_environment(new_database(cluster, folder, "live"), options.workers))
        progress = stack.enter_context(console.status("measuring live events")).update
        return live.measure(environment, options.streams, progress)


def _prepare(options: Options, stack: ExitStack, console: Console) -> Environment:
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
        size: stack.enter_context(running_server(history.database, workers=workers))
        for size, history in histories.items()
    }
    unbatched = stack.enter_context(running_server(main_one, workers=workers, batch_size="1"))
    return Environment(histories, urls, special, unbatched)


def _measure(environment: Environment, options: Options, console: Console) -> dict[str, Any]:
    loads, grown = _throughput_loads(environment), _growth_loads(environment)
    pages = [load for name, load in (loads | grown).items() if name.startswith(("page", "thread_page"))]
    steps = check_all(pages, loads["walk"], page=PAGE, walked=WALKED)
    with console.status("measuring") as status:
        rounds = interleave(loads, rounds=options.rounds, seconds=options.seconds, progress=status.update)
        growth = interleave(grown, rounds=options.rounds, seconds=2, progress=status.update)
    found = report.figures(rounds) | {"growth": report.growth(growth), "machine": report.machine()}
    found["walk"] |= {"walkers": WALKERS, "messages": WALKED, "requests_a_walk": steps}
    return found


def _throughput_loads(environment: Environment) -> dict[str, Load]:
    url, history = environment.urls[MAIN], environment.histories[MAIN]
    database, rooms = history.database, history.rooms
    return {
        "ceiling": subjects.ceiling(url, database.folder),
        "page": subjects.newest(url, database, rooms),
        "page_collected": subjects.uncached_pages(url, database, rooms),
        "page_unbatched": subjects.newest(environment.unbatched, database, rooms),
        "thread_page": subjects.thread_pages(url, database, environment.special.threads),
        "send": subjects.sends(url, database, rooms[:SEND_ROOMS]),
        "send_unbatched": subjects.sends(environment.unbatched, database, rooms[:SEND_ROOMS]),
        "walk": subjects.walks(url, database, environment.special),
    }


def _growth_loads(environment: Environment) -> dict[str, Load]:
    loads: dict[str, Load] = {}
    for size, history in environment.histories.items():
        loads[f"page/{size}"] = subjects.uncached_pages(
            environment.urls[size], history.database, history.rooms[:ALIKE], 1
        )
    for size, history in environment.histories.items():
        loads[f"page_anywhere/{size}"] = subjects.anywhere(environment.urls[size], history, history.rooms, "anywhere")
    for size, history in environment.histories.items():
        loads[f"send/{size}"] = subjects.sends(
            environment.urls[size], history.database, history.rooms[:ALIKE], "grown", 1
        )
    return loads | _window_loads(environment)


def _window_loads(environment: Environment) -> dict[str, Load]:
    url, history, special = environment.urls[MAIN], environment.histories[MAIN], environment.special
    one = History(history.database, special.one, [special.one_window])
    return {
        "page_windows/1": subjects.anywhere(url, one, one.rooms, "one-window", times=ALIKE),
        "page_windows/1000": subjects.windows(url, history.database, special),
        "send_windows/1": subjects.sends(url, history.database, one.rooms, "one", 1),
        "send_windows/1000": subjects.sends(url, history.database, [special.many_windows], "many", 1),
    }


if __name__ == "__main__":
    sys.exit(main())
