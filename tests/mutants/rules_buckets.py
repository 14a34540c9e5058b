"""Buckets: which one a room is in, and that nothing lands in another."""

from tests.mutants.mutation import broken, migration_of

ROUTING, OPERATIONS = "buckets/test_routing.py", "buckets/test_operations.py"
OF_ITS_OWN = f"{ROUTING}::test_the_messages_of_a_room_are_in_its_bucket_and_nowhere_else"
LATER = "buckets/test_tablespaces.py::test_what_comes_later_is_on_the_disk_of_the_bucket"
READS = "buckets/test_reads.py::test_a_history_in_two_buckets_reads_as_in_one"

BUCKETS = [
    broken("bucket: sends and pages are of the room's", "messages/batches.py", "await self._buckets.of_room(request.room_id)", "self._buckets.directory", OF_ITS_OWN),
    broken("bucket: other requests are of the room's", "server/pipeline.py", 'get("room_id")', 'get("no_id")', READS),
    broken("bucket: a room's is looked up", "buckets/routing.py", "return every[number]", "return every[0]", OF_ITS_OWN),
    broken("bucket: a transaction returns", "buckets/transactions.py", "    await db.execute(queries.RETURN, path)", "    str(path)", f"{ROUTING}::test_a_transaction_enters_a_bucket_and_returns"),
    broken("bucket: an organization has one", "buckets/queries.py", "coalesce(o.bucket, (", "coalesce(null, (", f"{OPERATIONS}::test_new_rooms_of_an_organization_go_into_its_bucket", part="FOR_NEW_ROOM"),
    broken("bucket: what waits moves with the room", "rooms/buckets.py", "moves += ", "_ = ", f"{OPERATIONS}::test_what_waits_for_a_webhook_moves_with_its_room_in_its_order"),
    broken("bucket: a revision makes tables on its disk", "migrations/buckets.py", 'default_tablespace = {}").format(tablespace)', 'default_tablespace = {}").format("")', LATER),
    broken("bucket: a new day is on its disk", migration_of("keep_deliveries"), "coalesce(max(spcname), '')", "''", LATER),
]  # fmt: skip
