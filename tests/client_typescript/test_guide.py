"""The programs of the guide are TypeScript too, and the package's README shows the first of them."""

import json
import subprocess
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from atrium import __version__
from tests.client_typescript.installation import install
from tests.guides.blocks import blocks_of
from tests.house.sources import ROOT

GUIDE = ROOT / "docs" / "guides" / "typescript-client.md"
README = ROOT / "clients" / "typescript" / "README.md"
MODULES = ROOT / "ui" / "node_modules"
OPTIONS = {
    "strict": True, "noEmit": True, "module": "nodenext", "target": "es2022", "types": ["node"],
    "typeRoots": [str(MODULES / "@types")], "skipLibCheck": True,
}  # fmt: skip


def type_errors(home: Path) -> str:
    done = subprocess.run([MODULES / ".bin" / "tsc"], cwd=home, capture_output=True, text=True, check=False)
    return done.stdout


@pytest.mark.contract("Client, agents and incoming webhooks 12")
def test_the_compiler_accepts_the_programs_of_the_guide_and_finds_a_wrong_field(tmp_path: Path) -> None:
    home = install(tmp_path)
    (home / "tsconfig.json").write_text(json.dumps({"compilerOptions": OPTIONS, "include": ["*.mts"]}))
    programs = [block for block in blocks_of(GUIDE) if block.language == "javascript"]
    assert len(programs) > 5
    for program in programs:
        name = Path(program.options["file"]).with_suffix(".mts").name
        is_broken = name == "read.mts"
        (home / name).write_text(program.content.replace(".text", ".txt") if is_broken else program.content)
    [error] = type_errors(home).splitlines()
    assert error.startswith("read.mts(8,")
    assert "Property 'txt' does not exist" in error


def test_the_readme_of_the_package_shows_a_program_of_the_guide() -> None:
    shown = [token.content for token in MarkdownIt("commonmark").parse(README.read_text()) if token.type == "fence"]
    assert shown
    assert set(shown) <= {block.content for block in blocks_of(GUIDE)}


def test_the_package_has_the_version_of_the_server() -> None:
    assert json.loads((ROOT / "clients" / "typescript" / "package.json").read_text())["version"] == __version__
