"""An import that was killed continues when it is run again."""

import os
import signal
import subprocess
import time
from pathlib import Path

from tests.conftest import Api
from tests.imports.conftest import arguments, command
from tests.imports.export import summary_of

MESSAGES = 22_172
COUNT = """
select count(*) from messages where room_id in (select room_id from rooms where space_id = $1)
"""
WRONG = """
select count(*) from messages root
left join lateral (select count(*)::int as count, max(sent_at) as at from messages m
                   where m.room_id = root.room_id and m.thread_root_id = root.message_id) replies on true
where root.room_id in (select room_id from rooms where space_id = $1)
  and (root.reply_count <> replies.count or root.last_reply_at is distinct from replies.at)
"""


def test_an_import_completes_one_that_was_killed(api: Api, archive: Path) -> None:
    running = subprocess.Popen(
        arguments(api, archive), env={**os.environ, **api.settings.environment()}, stderr=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 200
    while api.sql(COUNT, api.space_id)[0]["count"] < 3000:
        assert running.poll() is None and time.monotonic() < deadline
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    running.wait(10)

    before = api.sql(COUNT, api.space_id)[0]["count"]
    assert 3000 <= before < MESSAGES
    assert api.sql(WRONG, api.space_id)[0]["count"] == 0

    summary = summary_of(command(api, archive))
    assert summary["rooms"] == (0, 1)
    added, known = summary["messages"]
    assert added + known == MESSAGES
    assert known >= before
    assert api.sql(COUNT, api.space_id)[0]["count"] == MESSAGES
    assert api.sql(WRONG, api.space_id)[0]["count"] == 0
