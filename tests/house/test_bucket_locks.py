"""A lock on a row of a bucket is taken in that bucket: in a view over all buckets it would lock nothing, silently.

Changes through such a view fail (tests/buckets/test_reads.py), but PostgreSQL accepts a locking SELECT there.
"""

import re

from atrium.migrations.buckets import TABLES
from tests.house.sources import sql_constants

LOCKS = re.compile(r"\bfor\s+(no\s+key\s+update|update|key\s+share|share)\b", re.I)
READS = re.compile(rf"\b(?:from|join|using)\s+(?:{'|'.join(TABLES)})\b")
# Each runs on a connection of a bucket (of a request for a room, or a chore for each bucket) or within `in_bucket_of`.
IN_A_BUCKET = {
    "messages/packing_queries.py:BEGIN", "messages/packing_queries.py:MOVE",  # a chore of each bucket
    "messages/queries.py:SEND", "messages/queries.py:READ_FOR_CHANGE",  # requests for a room
    "rooms/queries.py:LOCK", "search/queries.py:LOCK",  # requests for a room, and imports in its bucket
    "search/queries.py:CLAIM",  # the indexer, for each bucket
    "webhooks/delivery_queries.py:CLAIM", "webhooks/delivery_queries.py:SUCCEED",  # the queue of a bucket
    "webhooks/delivery_queries.py:LOCK_FOR_FAILURES", "webhooks/delivery_queries.py:FAIL",
}  # fmt: skip


def test_each_statement_that_locks_rows_of_a_bucket_is_known_to_run_in_one() -> None:
    locking = {name for name, text in sql_constants().items() if LOCKS.search(text) and READS.search(text)}
    assert locking == IN_A_BUCKET
