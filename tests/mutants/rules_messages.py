"""Messages: windows, cursors, limits, order, threads, tombstones, sizes, repeated sends."""

from tests.mutants.mutation import broken

WALK = "messages/test_walk_properties.py"
THREADS = "messages/test_thread_properties.py"
WHOLE = f"{WALK}::test_a_walk_reads_every_message_once_with_any_changes_between_its_requests"
REPEATS = f"{WALK}::test_the_last_page_has_a_cursor_and_the_empty_page_after_it_repeats_it"
FIRST_WINDOW = f"{WALK}::test_a_time_before_the_room_within_its_first_window_selects_that_window"
AHEAD = f"{WALK}::test_without_a_cursor_the_latest_window_is_read_even_if_messages_are_ahead_of_the_clock"
MEANT = f"{WALK}::test_an_invalid_cursor_is_rejected_and_named"
SPARSE = f"{WALK}::test_a_walk_of_a_sparse_room_takes_at_most_one_request_more_than_it_has_pages"
IN_ORDER = f"{THREADS}::test_a_thread_is_read_completely_and_in_order_at_any_page_size"
OWN_SECOND = "contract/test_lenient.py::test_a_time_without_milliseconds_selects_the_messages_own_second"
CACHE = "messages/test_page_cache.py::test_a_page_is_current_after_any_change_by_any_process"
OUT_OF_BOUNDS = "contract/test_bad_input.py::test_a_limit_out_of_bounds_is_rejected"
UNREACHABLE = (
    "contract/test_unreachable_rooms.py::test_an_unreachable_room_is_answered_like_a_missing_one_on_every_route"
)
TOMBSTONE = "messages/test_one_message.py::test_a_tombstone_keeps_its_position_and_no_content"
REACTIONS = "messages/test_one_message.py::test_reactions_are_added_and_removed_once"
IDEMPOTENT = "messages/test_concurrent_sends.py"
TO_THE_BYTE = "messages/test_bounds.py::test_the_bound_is_exact_to_the_byte"

PAGES, SEND, MODEL = "messages/page_queries.py", "messages/queries.py", "messages/model.py"
CURSORS, BOUNDS = "messages/requests.py", "messages/limits.py"
ACTIONS, REACH = "messages/actions.py", "messages/reach.py"
# PAGE_OF_ROOM and PAGE_OF_TOP_LEVEL are composed of parts, so a fault in a part is in both.
ANSWER, NEXT, WINDOW, PAGE, OLDER = "_ANSWER", "_NEXT", "_WINDOW", "_MESSAGES", "_OLDER"
THREAD = "PAGE_OF_THREAD"

MESSAGES = [
    broken("a batch that meets a new partition runs again", "kit/postgres/batching.py", " or is_partition_new(error)", "", "faults/test_late_partitions.py::test_a_message_that_meets_the_new_partition_is_sent"),
    broken("a request that meets one can be repeated", "server/pipeline.py", " or is_partition_new(error)", "", "faults/test_late_partitions.py::test_any_other_request_that_meets_it_can_be_repeated"),
    broken("without a cursor the latest window, also ahead of the clock", PAGES, "greatest($8::bigint, h.last_seq >> 12) as latest", "$8::bigint as latest", AHEAD, part=WINDOW),
    broken("a future time selects the latest window", PAGES, "least(coalesce(request.cursor_ms, room.latest), room.latest)", "coalesce(request.cursor_ms, room.latest)", f"{WALK}::test_a_future_time_selects_the_latest_window", part=WINDOW),
    broken("in the first window also a time before the room", PAGES, "when opens + $9 <= room.opened", "when opens <= room.opened", FIRST_WINDOW, part=WINDOW),
    broken("a window before the room is empty", PAGES, "when opens + $9 <= room.opened", "when opens + $9 + $9 <= room.opened", f"{WALK}::test_a_time_before_the_room_is_an_empty_window_with_an_older_partition_cursor", part=WINDOW),
    broken("the next window begins below the present one", PAGES, "(id_ms(older.message_id) / $9 + 1) * $9", "(id_ms(older.message_id) / $9) * $9", WHOLE, SPARSE, part=NEXT),
    broken("windows without messages are passed over", PAGES, "m.message_id < shard.floor_id", "m.message_id < shard.floor_id and m.message_id is null", SPARSE, f"{WALK}::test_a_walk_of_an_empty_room_takes_one_request", WHOLE, part=OLDER),
    broken("a cursor's own message is not repeated", PAGES, "m.message_id < shard.before_id", "m.message_id <= shard.before_id", WHOLE, f"{WALK}::test_a_cursor_on_a_message_deleted_meanwhile_works", part=PAGE),
    broken("shard_has_more is false on the last page", PAGES, "m.message_id < page.last_id", "m.message_id <= page.last_id", WHOLE, REPEATS, part=ANSWER),
    broken("shard_has_more is true while more remain", PAGES, "m.message_id < page.last_id", "m.message_id > page.last_id", WHOLE, part=ANSWER),
    broken("without replies shard_has_more counts none", PAGES, "{_ANSWER}{_TOP_LEVEL}", "{_ANSWER}", WHOLE),
    broken("without replies there are none", PAGES, "\\n         {_TOP_LEVEL}", "", WHOLE, "messages/test_one_message.py"),
    broken("an empty page repeats its cursor's time", PAGES, "coalesce(id_ms(page.last_id), request.cursor_ms)", "id_ms(page.last_id)", REPEATS, part=NEXT),
    broken("an empty page repeats its cursor", PAGES, "coalesce(page.last_id, request.before_id)", "page.last_id", REPEATS, part=NEXT),
    broken("newest first", PAGES, "order by m.message_id desc limit request.size", "order by m.message_id limit request.size", "messages/test_send_and_read.py", part=OLDER),
    broken("a page has as many as were asked for", PAGES, "desc limit request.size) near", "desc limit request.size - 1) near", WHOLE, "messages/test_send_and_read.py", part=OLDER),
    broken("a large page ends early", PAGES, "coalesce(1048576 /", "coalesce(104857600 /", "messages/test_bounds.py::test_a_page_of_large_messages_ends_early_and_reports_that_more_follow", part=WINDOW),
    broken("a kept page is outdated by a change", PAGES, ", '.', room.last_seq, '.', room.changed)", ", '.', room.last_seq)", CACHE, part=WINDOW),
    broken("a kept page is outdated by a send", PAGES, ", '.', room.last_seq, '.', room.changed)", ", '.', room.changed)", CACHE, "messages/test_send_and_read.py", part=WINDOW),
    broken("a kept page is for those who reach the room", PAGES, "when access.role is null then 'room_not_found'\n            when access.is_barred", "when access.role is null and request.known_version is null then 'room_not_found'\n            when access.is_barred", "messages/test_page_cache.py::test_a_cached_page_is_returned_only_to_callers_who_may_read_it", part=ANSWER),
    broken("a room out of reach is a missing one", PAGES, "then 'room_not_found'", "then 'forbidden'", UNREACHABLE, part=ANSWER),
    broken("a deleted room is read no more", PAGES, "r.deleted_at is null offset 0", "r.room_id is not null offset 0", "rooms/test_rooms.py::test_a_deleted_room_is_not_found_on_any_route", part=WINDOW),
    broken("of a deleted room no thread is read", PAGES, "room.deleted_at is null", "room.room_id is not null", "rooms/test_rooms.py::test_a_deleted_room_is_not_found_on_any_route", "faults/test_immediate_effect.py::test_a_deleted_room_or_space_is_unreachable_immediately", part=THREAD),
    broken("has_more is false on a thread's last page", PAGES, "m.message_id > page.last_id)", "m.message_id >= page.last_id)", IN_ORDER, part=THREAD),
    broken("a thread goes on behind its cursor", PAGES, "message_id > coalesce(request.after_id", "message_id >= coalesce(request.after_id", IN_ORDER, part=THREAD),
    broken("replies come oldest first", PAGES, "order by message_id limit request.size", "order by message_id desc limit request.size", IN_ORDER, part=THREAD),
    broken("a thread has its own replies", PAGES, "where room_id = request.room_id and thread_root_id = request.root_id", "where room_id = request.room_id and thread_root_id is not null", "messages/test_one_message.py::test_a_reply_joins_the_thread_of_the_message_it_answers", IN_ORDER, part=THREAD),
    broken("a reply asked for as a root names its root", PAGES, "then 'not_a_thread_root'", "then 'message_not_found'", f"{THREADS}::test_a_reply_requested_as_a_root_names_its_root", part=THREAD),
    broken("a thread's last page has a cursor", PAGES, "coalesce('\"' || coalesce(page.last_id, request.after_id)", "coalesce('\"' || coalesce(null, page.last_id)", f"{THREADS}::test_the_last_page_of_a_thread_has_a_cursor_and_an_empty_page_repeats_it", part=THREAD),
    broken("a large page of a thread ends early", PAGES, "coalesce(1048576 /", "coalesce(104857600 /", "messages/test_bounds.py::test_a_page_of_a_thread_ends_early_and_reports_that_more_follow", part=THREAD),
    broken("a page has 200 at most", CURSORS, "ge=1, le=200", "ge=1, le=201", OUT_OF_BOUNDS),
    broken("a page has one at least", CURSORS, "ge=1, le=200", "ge=0, le=200", OUT_OF_BOUNDS),
    broken("half a message cursor is refused", CURSORS, "if sent_at is None and message_id is not None:", "if sent_at is None and message_id is not None and not message_id:", "contract/test_bad_input.py::test_half_a_message_cursor_is_rejected"),
    broken("half a thread cursor is refused", CURSORS, "if ms is not None and after is None:", "if ms is None and after is not None:", f"{THREADS}::test_half_a_cursor_is_rejected_and_the_missing_half_named"),
    broken("a mixed-up cursor is refused", CURSORS, "if ms not in (sent, sent // 1000 * 1000):", "if ms is None:", MEANT),
    broken("a time without milliseconds is taken", CURSORS, "if ms not in (sent, sent // 1000 * 1000):", "if ms != sent:", OWN_SECOND),
    broken("a message's own time counts", CURSORS, "return sent, before", "return ms, before", OWN_SECOND),
    broken("readers do not send", SEND, "access.role < 'member' then 'forbidden'", "access.role < 'reader' then 'forbidden'", "faults/test_immediate_effect.py::test_a_space_role_lowered_to_reader_can_read_and_no_longer_send", part="SEND"),
    broken("an archived room is not written to", SEND, "when room.archived_at is not null", "when room.archived_at < room.created_at", "rooms/test_rooms.py::test_an_archived_room_can_be_read_and_not_changed", part="SEND"),
    broken("a parent is of the same room", SEND, "parent.room_id = request.room_id and parent.message_id", "parent.message_id", "messages/test_one_message.py", "contract/test_unreachable_rooms.py", part="SEND"),
    broken("a reply belongs to the top-level message", SEND, "coalesce(parent.thread_root_id, parent.message_id)", "parent.message_id", "messages/test_one_message.py::test_a_reply_joins_the_thread_of_the_message_it_answers", part="SEND"),
    broken("ids rise when the clock steps back", SEND, "greatest(head.last_seq + 1, $13::bigint << 12)", "($13::bigint << 12)", f"{WALK}::test_ids_and_times_rise_with_every_send_under_a_clock_that_jumps", part="SEND"),
    broken("each of several replies counts", SEND, "root.reply_count + replies.count", "root.reply_count + 1", f"{IDEMPOTENT}::test_two_hundred_concurrent_replies_are_two_hundred_in_the_count", part="SEND"),
    broken("an Idempotency-Key is for one body", SEND, "then 'idempotency_mismatch'", "then 'replayed'", f"{IDEMPOTENT}::test_two_concurrent_bodies_under_one_key_are_one_message_and_one_mismatch", part="SEND"),
    broken("an Idempotency-Key is its caller's", SEND, " and earlier.actor_id = who.actor_id\n", "\n", f"{IDEMPOTENT}::test_an_idempotency_key_belongs_to_its_caller_and_room", part="SEND"),
    broken("a mention names a member", SEND, " and m.organization_id = minted.organization_id", "", "messages/test_one_message.py::test_mentions_are_the_members_named_in_the_text", part="SEND"),
    broken("an attachment is its sender's", SEND, "locked.created_by = who.actor_id and locked.message_id is null", "locked.message_id is null", "attachments/test_attachments.py", part="LOCK_ATTACHMENTS"),
    broken("an attachment is sent once", SEND, "locked.created_by = who.actor_id and locked.message_id is null", "locked.created_by = who.actor_id", "attachments/test_attachments.py", part="LOCK_ATTACHMENTS"),
    broken("a tombstone has no text", SEND, "set text = '', blocks", "set blocks", TOMBSTONE, part="DELETE_MESSAGE"),
    broken("a tombstone has no blocks", SEND, "blocks = '[]', ", "", TOMBSTONE, part="DELETE_MESSAGE"),
    broken("a tombstone has no mentions", SEND, "mentions = '{}', ", "", TOMBSTONE, part="DELETE_MESSAGE"),
    broken("a tombstone has no attachments", SEND, "attachments = '[]', ", "", TOMBSTONE, "attachments/test_attachments.py", part="DELETE_MESSAGE"),
    broken("a tombstone has no reactions", SEND, "reactions = '[]', ", "", TOMBSTONE, part="DELETE_MESSAGE"),
    broken("a tombstone is not edited", ACTIONS, "if message.status is MessageStatus.DELETED:", "if message.status is None:", TOMBSTONE),
    broken("its sender alone edits a message", REACH, "if permission.or_space is None or not", "if permission.or_space is not None and not", "messages/test_one_message.py::test_a_message_can_be_edited_only_by_its_sender"),
    broken("space admins delete a message, members do not", REACH, " or not room.role.holds(permission.or_space):", ":", "messages/test_one_message.py::test_a_message_can_be_deleted_by_its_sender_and_space_admins"),
    broken("an actor puts an emoji once", MODEL, "if any(actor in reaction.user_ids for reaction in same):", "if not same[0].user_ids:", REACTIONS),
    broken("an emoji that nobody holds is gone", MODEL, "for reaction in remaining if reaction.user_ids]", "for reaction in remaining]", REACTIONS),
    broken("an actor removes their own emoji", MODEL, "if user != actor])", "if user == actor])", REACTIONS),
    broken("fifty emoji and no more", MODEL, "MAX_EMOJI = 50", "MAX_EMOJI = 51", "messages/test_one_message.py::test_a_message_can_have_fifty_different_emoji"),
    broken("a message says something", BOUNDS, "and not text.strip():", "and not text:", "contract/test_bad_input.py::test_an_empty_message_is_rejected"),
    broken("a message has 128 KiB and no byte more", BOUNDS, "MAX_BYTES = 128 << 10", "MAX_BYTES = (128 << 10) + 1", TO_THE_BYTE),
    broken("a message has 128 KiB to the byte", BOUNDS, "> max_content_bytes(attachments)", ">= max_content_bytes(attachments)", TO_THE_BYTE),
    broken("reactions make no message too large", ACTIONS, "if event[0] is LiveEventKind.REACTION_ADDED and len(", "if event[0] is not LiveEventKind.REACTION_ADDED and len(", "messages/test_bounds.py::test_reactions_never_make_a_message_too_large"),
    broken("a text has 40,000 characters", "kit/text/types.py", "max_length=40_000", "max_length=40_001", "contract/test_bad_input.py::test_a_value_out_of_bounds_is_rejected_and_named"),
]  # fmt: skip
