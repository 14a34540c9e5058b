"""Python runs this when a process starts: break the rule that the environment names, before anything imports it."""

import os

if name := os.environ.get("MUTANTS_FAULT"):
    from tests.mutants.faults import FAULTS

    FAULTS[name].break_rule()
