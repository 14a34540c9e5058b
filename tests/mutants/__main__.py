"""`make mutants ONLY=word`: break every rule once and run its tests; exit with 1 if one is not detected."""

import argparse
import signal
import sys
from collections import Counter
from collections.abc import Iterable
from time import monotonic

from tests.mutants.all_mutations import ALL
from tests.mutants.mutation import Mutation, NoLongerAppliesError
from tests.mutants.working_copy import WorkingCopy, working_copy

KILLED, SURVIVED, GONE = "killed", "SURVIVED", "NO LONGER APPLIES"
UNPROVEN, NOT_TRIED = "FAILS WITHOUT IT", "COULD NOT BE TRIED"  # no server started, or pytest did not


def main() -> int:
    """Run the mutations whose rule, file or tests contain the word."""
    options = argparse.ArgumentParser(prog="make mutants")
    options.add_argument("--only", default="")
    options.add_argument("--trusted", action="store_true", help="the tests are known to pass without a fault")
    arguments = options.parse_args()
    chosen = [each for each in ALL if arguments.only in " ".join([each.rule, each.file, *each.tests])]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # started processes are ended
    began, counts = monotonic(), Counter[str]()
    with working_copy() as place:
        already_broken = [] if arguments.trusted else _broken_without_fault(place, chosen)
        for mutation in chosen:
            outcome, word = _try(place, mutation, already_broken)
            counts[outcome] += 1
            _say(f"{outcome}: {mutation.rule} ({mutation.file}) {word}")
    _say(f"{len(chosen)} mutations in {monotonic() - began:.0f} s: " + _summary(counts))
    return 0 if counts[KILLED] == len(chosen) else 1


def _broken_without_fault(place: WorkingCopy, chosen: Iterable[Mutation]) -> list[str]:
    """Return the tests that fail without a mutation; they would detect nothing."""
    outcome = place.run(sorted({test for each in chosen for test in each.tests}), first=False)
    _say(f"without a fault: {outcome.output}")
    return outcome.failed


def _try(place: WorkingCopy, mutation: Mutation, already_broken: Iterable[str]) -> tuple[str, str]:
    if any(bad.startswith(test) for bad in already_broken for test in mutation.tests):
        return UNPROVEN, ""
    began = monotonic()
    try:
        with place.with_fault(mutation):
            outcome = place.run(mutation.tests, fresh=mutation.file.startswith("migrations/"))
    except NoLongerAppliesError as why:
        return GONE, str(why)
    took = f"{monotonic() - began:.0f} s"
    if outcome.failed:
        return KILLED, f"by {outcome.failed[0]}, {took}"
    return (SURVIVED if outcome.passed else NOT_TRIED), f"{took}; {outcome.output}"


def _summary(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common())


def _say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
