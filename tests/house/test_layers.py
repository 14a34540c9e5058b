"""ARCHITECTURE.md lists the modules in the order in which they may import each other."""

import re
import tomllib

from tests.house.sources import ROOT

TREE = re.compile(r"```text tree=src/atrium\n(.*?)```", re.DOTALL)


def layers() -> list[list[str]]:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    [ordered] = [each["layers"] for each in contracts if each["type"] == "layers"]
    return [re.findall(r"atrium\.(\w+)", layer) for layer in ordered]


def listed_modules() -> list[str]:
    [tree] = TREE.findall((ROOT / "ARCHITECTURE.md").read_text())
    return [line.split()[0].removesuffix(".py") for line in tree.splitlines() if not line.startswith(" ")]


def test_the_tree_has_the_order_of_the_layers() -> None:
    places = {name: nr for nr, layer in enumerate(layers()) for name in layer}
    assert [name for name in listed_modules() if name not in places] == []
    found = [places[name] for name in listed_modules()]
    assert found == sorted(found)
    assert len(found) == len(places)
