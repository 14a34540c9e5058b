"""`make client`: the sync client, written from the async one by unasync; a test holds it to that."""

import subprocess
import sys
import tempfile
from pathlib import Path

import unasync

CLIENT = Path(__file__).parents[2] / "src" / "atrium" / "client"
ASYNC, SYNC = CLIENT / "_async", CLIENT / "_sync"
NAMES = {
    "AsyncAtrium": "Atrium", "AsyncConnection": "Connection", "AsyncRoom": "Room", "AsyncThread": "Thread",
    "AsyncWebhooks": "Webhooks", "AsyncIncomingWebhooks": "IncomingWebhooks", "AsyncClient": "Client", "AsyncBaseTransport": "BaseTransport",
    "aconnect_sse": "connect_sse", "aiter_sse": "iter_sse", "aread": "read", "aclose": "close", "anyio": "time", "aclosing": "closing",
    "_async": "_sync",
}  # fmt: skip
DOCS = (
    ("asynchronous: the one source. `make client` writes `_sync` from it", "written by `make client` from `_async`"),
)


def written() -> dict[str, str]:
    """Each file of the sync client, as it has to be."""
    with tempfile.TemporaryDirectory(dir=CLIENT) as folder:  # where ruff finds the settings of the project
        rule = unasync.Rule(fromdir=str(ASYNC), todir=folder, additional_replacements=NAMES)
        unasync.unasync_files([str(each) for each in sorted(ASYNC.glob("*.py"))], [rule])
        for each in Path(folder).glob("*.py"):
            each.write_text(_docs(each.read_text()))
        ruff = Path(sys.executable).with_name("ruff")
        subprocess.run([ruff, "check", "--quiet", "--fix", "--select", "I", folder], check=True)
        subprocess.run([ruff, "format", "--quiet", folder], check=True)
        return {each.name: each.read_text() for each in sorted(Path(folder).glob("*.py"))}


def _docs(text: str) -> str:
    """Docstrings name what is there; unasync leaves text alone."""
    for old, new in (*DOCS, *((f"`{one}`", f"`{other}`") for one, other in NAMES.items() if one != "_async")):
        text = text.replace(old, new)
    return text.replace('"AsyncThread"', '"Thread"')


if __name__ == "__main__":
    for name, text in written().items():
        (SYNC / name).write_text(text)
