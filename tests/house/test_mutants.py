"""The mutations of `make mutants` still apply and name existing tests; whether those detect them shows only a run."""

import pytest

from tests.house.sources import ROOT, SRC
from tests.house.test_contract_page import names_in
from tests.mutants.all_mutations import ALL
from tests.mutants.mutation import Mutation


@pytest.mark.parametrize("mutation", ALL, ids=lambda each: each.rule)
def test_a_mutation_applies_and_names_tests_that_exist(mutation: Mutation) -> None:
    mutation.applied((SRC / mutation.file).read_text())
    assert mutation.tests
    for test in mutation.tests:
        path, _, name = test.partition("::")
        assert (ROOT / path).is_file(), path
        assert not name or name in names_in(path), f"{path} has no {name}"


def test_no_mutation_is_listed_twice() -> None:
    assert len({each.rule for each in ALL}) == len(ALL)
    assert len({(each.file, each.part, each.old, each.new) for each in ALL}) == len(ALL)
