"""`make chaos ROUNDS=200 SEED=7`: a long run that prints its figures and exits with 1 if a promise was broken."""

import argparse
import asyncio
import random
import sys
from contextlib import ExitStack

from atrium.kit.settings import Settings
from tests.conftest import free_port, prepared_folder
from tests.faults.chaos.run import kinds_of, run
from tests.faults.running import stop_postgres


def main() -> int:
    """Run the rounds that the command line asks for."""
    options = argparse.ArgumentParser(prog="make chaos")
    options.add_argument("--rounds", type=int, default=200)
    options.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    chosen = options.parse_args()
    print(f"rounds: {chosen.rounds}, seed: {chosen.seed}", flush=True)
    with prepared_folder() as folder, ExitStack() as leftovers:
        settings = Settings(data_dir=folder, port=free_port(), workers=2, rate_limit=0)
        leftovers.callback(stop_postgres, settings)
        record = asyncio.run(run(settings, kinds_of(chosen.rounds, chosen.seed), chosen.seed, _print))
    return 1 if record.violations or record.stream_violations else 0


def _print(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
