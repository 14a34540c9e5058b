"""The health of webhooks, the timing of attempts, and the preview of a replay."""

from tests.mutants.mutation import broken

HISTOGRAM, QUERIES, HEALTH = "webhooks/histogram.py", "webhooks/health_queries.py", "webhooks/health.py"
COUNTS, DIALING = "webhooks/health_counts.py", "kit/network/dialing.py"
PRECISE = "webhooks/test_health.py::test_a_quantile_differs_from_the_exact_one_by_at_most_a_sixteenth"
COUNTED = "webhooks/test_health.py::test_attempts_are_counted_by_hour_and_day_without_gaps"
SILENT = "webhooks/test_health.py::test_an_attempt_without_an_answer_has_no_duration"
TOGETHER = "webhooks/test_health.py::test_workers_that_write_the_same_hours_lose_nothing_and_do_not_block_each_other"
WAITING = "webhooks/test_health.py::test_the_backlog_is_what_is_due_under_way_retried_and_replayed"
BOUNDED = "webhooks/test_health.py::test_a_long_backlog_is_counted_to_its_limit"
EXPIRED = "webhooks/test_health.py::test_health_is_deleted_after_thirty_days"
PREVIEWED = "webhooks/test_health.py::test_a_preview_counts_what_a_replay_would_send_and_changes_nothing"
LATE = "webhooks/test_health.py::test_hours_that_began_during_a_request_are_left_out"
TIMED = "kit/test_timing.py::test_each_stage_of_an_attempt_is_timed"
UNTIL_FAILURE = "kit/test_timing.py::test_an_attempt_that_fails_has_the_stages_until_then"
CLOSED = "kit/test_timing.py::test_a_connection_that_was_closed_while_idle_is_not_reused"

HEALTH_OF_WEBHOOKS = [
    broken("quantiles are precise", HISTOGRAM, "PER_POWER = 9", "PER_POWER = 8", PRECISE),
    broken("workers lock rows in one order", QUERIES, "\norder by webhook_id, hour\n", "\n", TOGETHER, part="RECORD"),
    broken("counts are added", QUERIES, "known.attempts + excluded.attempts", "excluded.attempts", TOGETHER, part="RECORD"),
    broken("histograms are added", QUERIES, "coalesce(before, 0) + coalesce(fresh, 0)", "coalesce(fresh, before)", TOGETHER, part="RECORD"),
    broken("an attempt without an answer has no duration", COUNTS, "if exchange.response_code is not None:", "if True:", SILENT),
    broken("failures do not count as successes", COUNTS, "counts.succeeded += exchange.succeeded", "counts.succeeded += 1", COUNTED),
    broken("empty periods are there", HEALTH, "for start, rows in hours.items()]", "for start, rows in hours.items() if rows]", COUNTED),
    broken("a later hour is left out", HEALTH, "if start in hours:", "if True:", LATE),
    broken("what is leased is under way", QUERIES, "due_at > $2 and leased)", "leased and due_at <= $2)", WAITING, part="BACKLOG"),
    broken("the backlog is bounded", QUERIES, " limit $3", "", BOUNDED, part="BACKLOG"),
    broken("old health is deleted", "cleanup/actions.py", "expired - health.RETENTION", "expired - 2 * health.RETENTION", EXPIRED),
    broken("pings are not previewed", "webhooks/log_queries.py", " and d.event_type <> 'ping'", "", PREVIEWED, part="PREVIEW_REPLAY"),
    broken("TLS is timed", DIALING, "stopwatch.begin(Stage.TLS)", "pass", TIMED),
    broken("a failed handshake is timed", DIALING, "stopwatch.begin(Stage.TLS)", "stopwatch.begin(Stage.READ)", UNTIL_FAILURE),
    broken("a connection that opens is not reused", "kit/network/timing.py", "bool(lengths) and not self._opens", "bool(lengths)", CLOSED),
]  # fmt: skip
