"""Every guide and the README followed exactly: each command and program is run and its output compared."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.conftest import scratch_folder
from tests.guides.blocks import GUIDES, Block, blocks_of
from tests.guides.reader import Reader
from tests.guides.sample_workspace import write_archive
from tests.house.sources import ROOT

pytestmark = pytest.mark.timeout(600)  # a whole guide is one test
FOLLOWED = sorted(path.stem for path in GUIDES.glob("*.md") if path.stem != "start")


def new_reader(home: Path) -> Reader:
    """Return a reader with an export of their Slack workspace."""
    write_archive(home / "export.zip", datetime.now(UTC))
    return Reader(home)


def follow(reader: Reader, blocks: list[Block]) -> None:
    """Run all blocks; report at the end those that need programs this machine lacks."""
    reader.missing.clear()
    reader.follow(blocks)
    if reader.missing:
        pytest.skip(f"done, but for what needs {', '.join(sorted(reader.missing))}: not on this machine")


@pytest.fixture(scope="module")
def started_reader() -> Iterator[Reader]:
    """Yield a reader who followed the five-minute start and has a running server."""
    with scratch_folder() as home:
        reader = new_reader(home)
        try:
            reader.follow(blocks_of(GUIDES / "start.md"))
            yield reader
        finally:
            reader.close()


@pytest.mark.contract("Guides 1")
def test_the_getting_started_guide_works_as_written(started_reader: Reader) -> None:
    status, out, _ = started_reader.type('curl -s -H "Authorization: Bearer $KEY" $URL/v1/me/profile | jq -r .email')
    assert (status, out) == (0, "ada@example.org\n")


def test_no_two_programs_of_the_guides_listen_on_one_port() -> None:
    blocks = [block for name in FOLLOWED for block in blocks_of(GUIDES / f"{name}.md")]
    ports = [port for block in blocks if (port := block.options.get("background"))]
    assert len(ports) > 3
    assert sorted(ports) == sorted(set(ports))


@pytest.mark.contract("Guides 1")
@pytest.mark.parametrize("name", FOLLOWED)
def test_a_guide_works_as_written(started_reader: Reader, name: str) -> None:
    blocks = blocks_of(GUIDES / f"{name}.md")
    assert blocks
    started_reader.type(". ./atrium.env")
    follow(started_reader, blocks)


LONG_WALK = """
. ./atrium.env
atrium import slack export.zip --organization $ORGANIZATION --space $SPACE > imported.txt
rooms=$(curl -s -H "Authorization: Bearer $KEY" "$URL/v2/spaces/$SPACE/rooms?limit=200")
export ROOM=$(echo "$rooms" | jq -r '.rooms[] | select(.name == "workshop") | .room_id')
python history.py > by-python.txt
python client.py > by-client.txt
if command -v node > /dev/null; then node history.mjs > by-javascript.txt; else cp by-python.txt by-javascript.txt; fi
"""


@pytest.mark.contract("Guides 3")
def test_the_walk_examples_of_the_guide_read_a_year_of_many_windows(started_reader: Reader) -> None:
    follow(started_reader, [block for block in blocks_of(GUIDES / "history.md") if "file" in block.options])
    status, _, complaints = started_reader.type(LONG_WALK)
    assert status == 0, complaints
    by_python, by_client, by_javascript = (
        (started_reader.home / f"by-{each}.txt").read_text() for each in ("python", "client", "javascript")
    )
    with ZipFile(started_reader.home / "export.zip") as archive:
        days = [json.loads(archive.read(name)) for name in archive.namelist() if "/" in name]
    count = sum(map(len, days))
    lines = by_python.splitlines()
    assert by_python == by_client == by_javascript
    assert (len(lines), len({line.partition(" ")[0] for line in lines})) == (count, count)


@pytest.mark.contract("Guides 1")
def test_the_readme_works_as_written() -> None:
    with scratch_folder() as home:
        reader = new_reader(home)
        try:
            follow(reader, blocks_of(ROOT / "README.md"))
        finally:
            reader.close()
