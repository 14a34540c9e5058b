"""Sets back a clock that was ahead, as the guide "Operating" says."""

import re
from datetime import datetime

import asyncpg

from tests.house.sources import ROOT

GUIDE = (ROOT / "docs/guides/operating.md").read_text()
STATEMENTS = re.findall(r"`((?:update|delete) [^`]+)`", GUIDE)


async def run_statements(db: asyncpg.Connection, now: datetime) -> None:
    """Run the statements of the guide's section about a wrong clock."""
    for statement in STATEMENTS:
        await db.execute(statement.replace("now()", f"timestamptz '{now.isoformat()}'"))
