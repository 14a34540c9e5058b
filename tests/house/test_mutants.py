"""The mutations of `make mutants` still apply and name existing tests; whether those detect them shows only a run."""

import pytest

from tests.house.sources import ROOT, SRC
from tests.house.test_contract_page import names_in
from tests.mutants.all_mutations import ALL
from tests.mutants.mutation import Mutation, functions_of, migration_of


@pytest.mark.parametrize("mutation", ALL, ids=lambda each: each.rule)
def test_a_mutation_applies_and_names_tests_that_exist(mutation: Mutation) -> None:
    mutation.applied((SRC / mutation.file).read_text())
    assert mutation.tests
    for test in mutation.tests:
        path, _, name = test.partition("::")
        assert (ROOT / path).is_file(), path
        assert not name or name in names_in(path), f"{path} has no {name}"


@pytest.mark.parametrize("mutation", [each for each in ALL if "/versions/" in each.file], ids=lambda each: each.rule)
def test_a_mutated_function_is_not_replaced_by_a_later_migration(mutation: Mutation) -> None:
    for name, text in functions_of(SRC / mutation.file):
        if mutation.old in text:
            assert migration_of(name) == mutation.file


def test_no_mutation_is_listed_twice() -> None:
    assert len({each.rule for each in ALL}) == len(ALL)
    assert len({(each.file, each.part, each.old, each.new) for each in ALL}) == len(ALL)
