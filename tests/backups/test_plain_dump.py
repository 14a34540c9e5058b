"""PostgreSQL's own tools copy a database: a plain dump is restored, and logical replication applies every change."""

import subprocess
from collections.abc import Iterator

import psycopg
import pytest

from atrium.kit.settings import Settings
from tests.conftest import Api, free_port, prepared_folder, running_server
from tests.faults.cluster import BIN, Node
from tests.faults.running import organization_on
from tests.wait_until import wait_until

TABLES = """
select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p' order by 1
"""
CONTENT = (
    "select coalesce(md5(string_agg(row_text, '' order by row_text)), '') from (select t::text row_text from {} t) x"
)
MESSAGES = "select message_id, rendered from messages order by message_id"
OF_A_DAY = "select oid::regclass::text from pg_class where relispartition and relkind = 'r' and relname ~ '_[0-9]{8}$'"
CHORES = (
    "update search_generation set generation = generation + 1", "update packing set until = until + 1",
    "insert into removal (until) values (now()) on conflict (one) do update set until = now()", "select keep_deliveries(now(), 30)",
    "insert into live_events_other (at, kind) values ('2020-01-01', 'x')", "select keep_live_events(now())",
)  # fmt: skip
# Not compared: it tells the copies of a database apart.
OWN = {"live_origin"}


@pytest.fixture
def node() -> Iterator[Node]:
    with prepared_folder() as folder:
        folder.chmod(0o755)  # PostgreSQL has a user of its own
        made = Node(folder / "postgres")
        made.start("wal_level=logical")
        try:
            yield made
        finally:
            made.end()


@pytest.fixture
def api(node: Node) -> Iterator[Api]:
    settings = Settings(data_dir=node.folder.parent, database_url=node.url, port=free_port(), workers=1, rate_limit=0)
    with running_server(settings) as running:
        yield organization_on(running)


def talk(api: Api) -> None:
    """Send, answer, edit and react to messages, and delete one."""
    root, other = (api.person.post(api.messages, json={"text": text}).json()["message_id"] for text in ("one", "two"))
    changes = [
        api.person.post(api.messages, json={"text": "answer", "parent_id": root}),
        api.person.patch(f"{api.messages}/{root}", json={"text": "one, edited"}),
        api.person.put(f"{api.messages}/{root}/reactions/👍"),
        api.person.delete(f"{api.messages}/{other}"),
    ]
    assert all(each.is_success for each in changes), [each.text for each in changes]


def restore(node: Node, database: str, *options: str) -> str:
    """Restore a dump of the server's database to a new one; return its URL."""
    node.ask(f"create database {database}")
    url = node.url.replace("/atrium", f"/{database}")
    dumped = subprocess.run([BIN / "pg_dump", *options, node.url], check=True, capture_output=True).stdout
    psql = [BIN / "psql", "--quiet", "--set=ON_ERROR_STOP=1", "--output=/dev/null", url]
    restored = subprocess.run(psql, input=dumped, capture_output=True, check=False)
    assert restored.returncode == 0, restored.stderr.decode()
    return url


def contents(url: str) -> dict[str, str]:
    """Return a digest of each table."""
    with psycopg.connect(url) as db:
        names = [name for (name,) in db.execute(TABLES) if name not in OWN]
        found = {name: db.execute(CONTENT.format(name).encode()).fetchone() for name in names}
    return {name: str(row and row[0]) for name, row in found.items()}


@pytest.mark.contract("Operations 8")
def test_a_plain_dump_is_restored(node: Node, api: Api) -> None:
    talk(api)
    copy = restore(node, "copy")
    with psycopg.connect(copy) as one, psycopg.connect(node.url) as other:
        assert one.execute(MESSAGES).fetchall() == other.execute(MESSAGES).fetchall()


@pytest.mark.contract("Operations 8")
def test_logical_replication_applies_every_change(node: Node, api: Api) -> None:
    talk(api)
    copy = restore(node, "copy", "--schema-only")
    node.ask("create publication everything for all tables with (publish_via_partition_root)")
    node.ask("select pg_create_logical_replication_slot('copy', 'pgoutput')")
    with psycopg.connect(copy, autocommit=True) as db:
        db.execute("truncate search_generation")  # the schema brings its row along
        for (part,) in db.execute(OF_A_DAY).fetchall():  # as some days later: today has partitions that the copy lacks
            db.execute(f"drop table {part}".encode())
        db.execute(
            f"create subscription copy connection '{node.url}' publication everything with (create_slot = false)".encode()
        )
    wait_until(lambda: contents(copy) == contents(node.url), "the copy has what was there")
    talk(api)
    for work in CHORES:
        node.ask(work)
    wait_until(lambda: contents(copy) == contents(node.url), "the copy has what changed")
