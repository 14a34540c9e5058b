"""Buckets: which one a room is in, and that nothing lands in another."""

from tests.mutants.mutation import broken

ROUTING, OPERATIONS = "buckets/test_routing.py", "buckets/test_operations.py"
OF_ITS_OWN = f"{ROUTING}::test_the_messages_of_a_room_are_in_its_bucket_and_nowhere_else"
READS = "buckets/test_reads.py::test_a_history_in_two_buckets_reads_as_in_one"

BUCKETS = [
    broken("bucket: sends and pages are of the room's", "messages/batches.py", "await self._buckets.of_room(request.room_id)", "self._buckets.directory", OF_ITS_OWN),
    broken("bucket: other requests are of the room's", "server/pipeline.py", 'get("room_id")', 'get("no_id")', READS),
    broken("bucket: a room's is looked up", "buckets/routing.py", "return every[number]", "return every[0]", OF_ITS_OWN),
    broken("bucket: a transaction returns", "buckets/transactions.py", "    await db.execute(queries.RETURN, path)", "    str(path)", f"{ROUTING}::test_a_transaction_enters_a_bucket_and_returns"),
    broken("bucket: an organization has one", "buckets/queries.py", "coalesce(o.bucket, (", "coalesce(null, (", f"{OPERATIONS}::test_new_rooms_of_an_organization_go_into_its_bucket", part="FOR_NEW_ROOM"),
    broken("bucket: what waits moves with the room", "rooms/buckets.py", "moves += ", "_ = ", f"{OPERATIONS}::test_what_waits_for_a_webhook_moves_with_its_room_in_its_order"),
]  # fmt: skip
