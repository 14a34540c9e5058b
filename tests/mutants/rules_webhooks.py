"""Deliveries: schedule, counts, pauses, signatures, content and times."""

from tests.mutants.mutation import broken

SCHEDULE = "webhooks/test_delivery.py::test_attempts_follow_the_schedule_from_the_end_of_the_previous_one_and_then_a_mail_is_sent"
AS_OFTEN = "webhooks/test_pausing.py::test_a_failure_is_retried_as_scheduled_and_counts_once"
TOO_MANY = "webhooks/test_pausing.py::test_only_ten_failures_in_a_row_within_three_days_pause"
TEN = "webhooks/test_pausing.py::test_ten_failures_within_three_days_pause_it_and_mail_every_admin_once"
BY_HAND = "webhooks/test_pausing.py::test_pings_and_resends_never_count"
REPLAYED = "webhooks/test_pausing.py::test_a_replayed_event_that_fails_again_is_not_counted_again"
EXPIRED = "webhooks/test_pausing.py::test_three_days_after_the_first_failure_the_count_and_the_limit_of_attempts_reset"
CAPPED = "webhooks/test_delivery.py::test_concurrent_attempts_of_a_webhook_are_limited_and_lower_while_it_fails"
OVERLAP = "webhooks/test_events.py::test_both_secrets_sign_during_the_overlap_and_then_only_the_new_one"
RESENT = "webhooks/test_events.py::test_a_failed_manual_resend_leaves_a_delivered_event_succeeded"
REFUSED = "webhooks/test_management.py::test_an_invalid_value_is_rejected_and_named"
OWN_HEADERS = "webhooks/test_events.py::test_a_custom_header_with_the_name_of_a_built_in_one_is_dropped_in_any_case"
SENTENCE = "kit/test_outbound.py::test_every_response_has_a_description"
NOT_FOLLOWED = "kit/test_outbound.py::test_redirects_are_failures_and_never_followed"
NO_OTHER_WAY = "webhooks/test_signing.py::test_a_standard_webhooks_verifier_accepts_a_delivery"
ADDRESSES = "kit/test_addresses.py"
CLOCK = "faults/test_clock_set_back.py"
SENT_SINCE = f"{CLOCK}::test_new_messages_are_delivered_immediately"
SEEN_SINCE = f"{CLOCK}::test_typing_and_denied_requests_are_seen"
COUNTED = f"{CLOCK}::test_uses_of_a_key_are_recorded_again"

RETRY, PAUSING, FAILURES = "webhooks/retry.py", "webhooks/pause_rules.py", "webhooks/failures.py"
QUEUE, SIGNING, HEADERS = "webhooks/delivery_queries.py", "webhooks/signing.py", "webhooks/headers.py"
DELIVERY, OUTBOUND, DIALLED = "webhooks/delivery.py", "kit/network/outbound.py", "kit/network/addresses.py"

SET_BACK = [
    broken("a delivery is due now if the time of its message is ahead", "messages/queries.py", "else time_of_ms($13) end, sent_at", "else sent_at end, sent_at", SENT_SINCE, part="SEND"),
    broken("the last use ahead is replaced", "keys/queries.py", "not between $2 and $2::timestamptz + interval '2 minutes'", "< $2", COUNTED),
    broken("denials of this process from before", "server/denials.py", "abs(now - added_at)", "now - added_at", SEEN_SINCE),
    broken("denials of the log from before", "audit/queries.py", " and seen.entry_id < id_floor(ms_of($2) + 60000)\n        and seen.actor_id = key.actor_id and seen.api_key_id = key.api_key_id and seen.action = 'request.refused'\n        and (", "\n        and seen.actor_id = key.actor_id and seen.api_key_id = key.api_key_id and seen.action = 'request.refused'\n        and (", SEEN_SINCE),
    broken("a hundred denials of the log from before", "audit/queries.py", " and seen.entry_id < id_floor(ms_of($2) + 60000)\n        and seen.actor_id = key.actor_id and seen.api_key_id = key.api_key_id and seen.action = 'request.refused')\n", "\n        and seen.actor_id = key.actor_id and seen.api_key_id = key.api_key_id and seen.action = 'request.refused')\n", f"{CLOCK}::test_a_hundred_denials_from_before_do_not_fill_the_minute"),
    broken("an unknown key from before", "server/rate_buckets.py", "timedelta(0) < until - self._clock() <= NEGATIVE_CACHE_TTL", "timedelta(0) < until - self._clock()", f"{CLOCK}::test_a_key_that_had_expired_then_works_with_the_limit_of_its_person"),
    broken("a stream from before", "live/model.py", " <= self.at_ms <= to_ms(now + MAX_SKEW)", " <= self.at_ms", f"{CLOCK}::test_a_stream_from_before_is_not_resumed"),
]  # fmt: skip

AHEAD_STAYS = "faults/test_clock_ahead.py::test_what_expires_later_stays"
EXPIRES_BY_THEN = "faults/test_clock_ahead.py::test_what_has_expired_is_deleted"
NOT_PUT_OFF = "faults/test_clock_ahead.py::test_a_clock_that_was_behind_or_ahead_does_not_put_it_off"
AHEAD = [
    broken("an hour expires at a time", "cleanup/queries.py", "least($1, r.until + interval '1 hour')", "$1", AHEAD_STAYS),
    broken("it goes back by an hour at most", "cleanup/queries.py", "greatest(least($1, r.until + interval '1 hour'), r.until - interval '1 hour')", "least($1, r.until + interval '1 hour')", NOT_PUT_OFF),
    broken("it goes back", "cleanup/queries.py", "r.until - interval '1 hour'", "r.until", NOT_PUT_OFF),
    broken("it is not after now", "cleanup/queries.py", "returning least($1, until)", "returning until", NOT_PUT_OFF),
    broken("the worker expires by it", "worker.py", "settings, clock, expired)", "settings, clock, clock())", AHEAD_STAYS),
    broken("files are dropped now", "cleanup/actions.py", "EXPIRE, now, expired)", "EXPIRE, expired, expired)", EXPIRES_BY_THEN),
    broken("imports expire by it", "imports/job_queries.py", "\n        and (status not in ('uploading', 'ready') or due_at <= (select until from removal))", "", AHEAD_STAYS),
    broken("deliveries expire by it", "webhooks/queries.py", "least($1, coalesce((select until from removal), '2000-01-01'))", "$1::timestamptz", AHEAD_STAYS),
    broken("without it none expires", "webhooks/queries.py", "'2000-01-01'", "'infinity'", "faults/test_clock_ahead.py::test_before_the_first_time_nothing_is_deleted"),
]  # fmt: skip

DELIVERIES = [
    broken("the schedule is used to its end", RETRY, "number <= len(schedule)", "number < len(schedule)", AS_OFTEN),
    broken("each pause comes in its turn", RETRY, "schedule[number - 1]", "schedule[-number]", SCHEDULE),
    broken("a pause begins when the attempt ended", "webhooks/failures.py", "after_failure(number, result.ended_at,", "after_failure(number, claimed.due_at,", SCHEDULE),
    broken("what is resent by hand is tried once", RETRY, "    if manual:\n", "    if manual is None:\n", BY_HAND, RESENT),
    broken("the first retry comes after a minute", "kit/settings.py", "timedelta(minutes=1), timedelta(minutes=5)", "timedelta(minutes=2), timedelta(minutes=5)", SCHEDULE),
    broken("the last retry comes after a day", "kit/settings.py", "timedelta(hours=24)),", "timedelta(hours=23)),", SCHEDULE),
    broken("ten events pause, not eleven", PAUSING, "THRESHOLD = 10", "THRESHOLD = 11", TEN),
    broken("ten events pause, not nine", PAUSING, "THRESHOLD = 10", "THRESHOLD = 9", TEN),
    broken("the tenth is one too many", PAUSING, "self.count >= THRESHOLD", "self.count > THRESHOLD", TEN),
    broken("a count lives three days", PAUSING, "timedelta(days=3)", "timedelta(days=4)", TOO_MANY, "webhooks/test_pausing.py::test_ten_failures_over_more_than_three_days_leave_it_active"),
    broken("a count ends with its third day", PAUSING, "failures.first_at < failure_cutoff(at)", "failures.first_at <= failure_cutoff(at)", TOO_MANY),
    broken("a count's time is that of its first failure", PAUSING, "Failures(failures.count + 1, failures.first_at)", "Failures(failures.count + 1, at)", TOO_MANY),
    broken("an event counts by its first attempt", PAUSING, "number == 1", "number == 2", AS_OFTEN, TEN),
    broken("or, so set, by its first retry", PAUSING, "number == 2", "number == 3", "webhooks/test_pausing.py::test_an_event_can_be_set_to_count_only_when_its_first_retry_fails"),
    broken("or, so set, when it is given up", PAUSING, "isinstance(decision, GiveUp) and decision.exhausted", "isinstance(decision, GiveUp) and not decision.exhausted", AS_OFTEN),
    broken("a resend by hand never counts", FAILURES, 'not claimed.manual and not webhook["counted"]', 'not webhook["counted"]', "webhooks/test_pausing.py::test_a_missed_event_that_fails_when_resent_does_not_count"),
    broken("an event counts once", FAILURES, 'not claimed.manual and not webhook["counted"]', "not claimed.manual", REPLAYED),
    broken("that an event has counted is remembered", QUEUE, "counted = d.counted or failed.counts", "counted = failed.counts and d.counted", REPLAYED),
    broken("of ten concurrent failures one pauses", FAILURES, "paused = key in counted and counted[key].reached_threshold", "paused = False", "webhooks/test_pausing.py::test_ten_concurrent_failures_on_two_workers_are_one_pause_and_one_mail_each", "webhooks/test_pausing.py::test_failures_recorded_together_count_per_webhook_and_skip_deleted_ones"),
    broken("what is not ACTIVE does not count", FAILURES, 'decision.counts and not paused and webhook["status"] == WebhookStatus.ACTIVE', "decision.counts and not paused", "webhooks/test_pausing.py::test_attempts_in_flight_when_a_webhook_is_paused_do_not_count"),
    broken("admins are mailed after the last retry, not after a resend", FAILURES, "isinstance(self.decision, GiveUp) and self.decision.exhausted", "isinstance(self.decision, GiveUp)", BY_HAND, RESENT),
    broken("admins are mailed after the last retry", FAILURES, "isinstance(self.decision, GiveUp) and self.decision.exhausted", "False", SCHEDULE),
    broken("a paused webhook is not tried", QUEUE, "where w.status = 'WEBHOOK_STATUS_ACTIVE'\n", "where w.status <> 'WEBHOOK_STATUS_INACTIVE'\n", TEN, "webhooks/test_pausing.py::test_a_reactivated_webhook_sends_waiting_events_gradually_and_can_replay_missed_ones", part="CLAIM"),
    broken("an inactive webhook is not tried", QUEUE, "where w.status = 'WEBHOOK_STATUS_ACTIVE'\n", "where w.status <> 'WEBHOOK_STATUS_PAUSED'\n", "webhooks/test_events.py::test_an_inactive_webhook_receives_nothing_and_its_log_shows_missed_events", "webhooks/test_events.py::test_a_waiting_delivery_of_an_inactive_webhook_has_no_next_attempt_time", part="CLAIM"),
    broken("an ordered webhook gets the first delivery of each room", QUEUE, "w.ordering is not null as in_order", "false as in_order", "webhooks/test_order.py", part="CLAIM"),
    broken("a rate is shared by all workers", QUEUE, "open.first_slot + used.slots * open.apart", "open.first_slot", "webhooks/test_order.py", part="CLAIM"),
    broken("no webhook takes all of a claim", QUEUE, "(partition by organization_id order by fails, nr, due_at)", "(partition by organization_id order by fails, due_at, webhook_id)", "webhooks/test_order.py", part="CLAIM"),
    broken("only what is still claimed is given back", QUEUE, "d.due_at = unused.leased_until", "d.leased", "webhooks/test_order.py", part="GIVE_BACK"),
    broken("attempts of a webhook are capped", QUEUE, "least(open.most - busy.claimed, case", "least(open.most, case", CAPPED, part="CLAIM"),
    broken("a failing webhook gets few attempts", QUEUE, "then $4::int else", "then greatest($3::int, $4::int) else", CAPPED, part="CLAIM"),
    broken("an expired count lifts the cap", QUEUE, "w.first_failure_at < $6::timestamptz", "w.first_failure_at > $6::timestamptz", EXPIRED, part="CLAIM"),
    broken("nothing is tried before it is due", QUEUE, "d.webhook_id = open.webhook_id and d.due_at <= $1\n            order by d.due_at limit free", "d.webhook_id = open.webhook_id and d.due_at <= $1 + interval '1 hour'\n            order by d.due_at limit free", "webhooks/test_delivery.py::test_a_clock_that_steps_back_makes_no_attempt_early_or_twice", part="CLAIM"),
    broken("a success clears the count", QUEUE, "set failure_count = 0, first_failure_at = null\n", "set failure_count = w.failure_count\n", "webhooks/test_pausing.py::test_nine_failures_a_success_and_nine_failures_leave_it_active", part="SUCCEED"),
    broken("a success by hand clears nothing", QUEUE, "select webhook_id from done where not manual", "select webhook_id from done", BY_HAND, part="SUCCEED"),
    broken("a success ends its delivery", QUEUE, "set status = 'DELIVERY_STATUS_SUCCEEDED', next_attempt_at = null", "set status = 'DELIVERY_STATUS_RETRYING', next_attempt_at = null", "webhooks/test_delivery.py::test_an_event_is_the_contracts_envelope_signed_two_ways", part="SUCCEED"),
    broken("what was delivered once stays SUCCEEDED", QUEUE, "case when d.status = 'DELIVERY_STATUS_SUCCEEDED' then d.status else failed.status end", "failed.status", RESENT, part="FAIL"),
    broken("what falls due between two statements is claimed immediately", "webhooks/delivery_worker.py", "    if due <= claimed_at:\n        return RECHECK_INTERVAL\n", "    if due <= now:\n        return MAX_SLEEP\n", "webhooks/test_sleeping.py"),
    broken("signatures are of the body", SIGNING, 'hmac.digest(secret.encode(), body, "sha256")', 'hmac.digest(secret.removeprefix(PREFIX).encode(), body, "sha256")', "webhooks/test_signing.py::test_openssl_creates_the_same_signature", "webhooks/test_signing.py::test_a_known_body_has_the_known_signature"),
    broken("signatures are compared in constant time", SIGNING, 'hmac.compare_digest(sign(secret, body).encode(), signature.encode(errors="replace"))', "sign(secret, body) == signature", "contract/test_claims.py::test_signatures_are_compared_in_constant_time"),
    broken("a secret has 32 random bytes", SIGNING, "SECRET_BYTES = 32", "SECRET_BYTES = 24", "webhooks/test_signing.py::test_a_secret_is_32_random_bytes_behind_a_prefix"),
    broken("the standard signature covers the time", SIGNING, 'f"{message_id}.{timestamp}."', 'f"{message_id}.0."', NO_OTHER_WAY),
    broken("while a secret is replaced the old one signs first", DELIVERY, "secrets.insert(0, ", "secrets.insert(1, ", OVERLAP),
    broken("an old secret's overlap ends", DELIVERY, " and now < claimed.old_secret_until:", ":", OVERLAP),
    broken("a rotation keeps the old secret for the overlap", "webhooks/queries.py", "old_secret = case when $3::timestamptz is not null then secret end", "old_secret = null", OVERLAP),
    broken("attempts are numbered through a replay", DELIVERY, "claimed.logged + 1, rfc3339", "claimed.attempts_made + 1, rfc3339", REPLAYED),
    broken("a delivery keeps its id", HEADERS, '"X-Service-Delivery": str(delivery_id)', '"X-Service-Delivery": str(now)', "webhooks/test_delivery.py::test_an_event_is_the_contracts_envelope_signed_two_ways"),
    broken("our headers win in any case", HEADERS, "if name.lower() not in ours", "if name not in ours", OWN_HEADERS),
    broken("a webhook has ten headers at most", HEADERS, "MAX_HEADERS = 10", "MAX_HEADERS = 11", REFUSED),
    broken("a header's value has its bound", HEADERS, "MAX_VALUE_LENGTH = 1000", "MAX_VALUE_LENGTH = 1001", REFUSED),
    broken("a header is named once in any case", HEADERS, "{name.lower() for name in headers}", "set(headers)", REFUSED),
    broken("a receiver has fifteen seconds", OUTBOUND, "timeout: float = 15.0", "timeout: float = 14.0", "contract/test_claims.py::test_a_receiver_has_fifteen_seconds_to_respond"),
    broken("a 3xx is no success", OUTBOUND, "200 <= code < 300", "200 <= code < 400", NOT_FOLLOWED),
    broken("a 1xx is no success", OUTBOUND, "200 <= code < 300", "code < 300", SENTENCE),
    broken("a 2xx is a success with any body", OUTBOUND, "error_of(response.code) if response.code else failure", "failure or error_of(response.code or 0)", "kit/test_outbound.py::test_hostile_receivers_use_bounded_time_and_memory"),
    broken("an address is looked at again before it is dialled", "kit/network/dialing.py", "if error := self._rules.error(str(sockaddr[0])):", "if error := None:", "kit/test_outbound_addresses.py::test_every_address_is_checked_before_connecting"),
    broken("shared addresses are not dialled", DIALLED, "100.64.0.0/10", "100.64.0.0/11", ADDRESSES),
    broken("carried addresses are looked at", DIALLED, "    if inner:\n", "    if inner is None:\n", ADDRESSES),
    broken("a URL has no password in it", DIALLED, 'if "@" in target.raw_authority:', 'if target.password:', "kit/test_outbound_addresses.py::test_a_private_address_is_rejected_when_saved_and_when_sent"),
    broken("behind a proxy no webhook goes to loopback", "kit/settings.py", "not (self.public_url or self.trusted_proxies)", "not self.trusted_proxies", "kit/test_settings.py::test_loopback_is_allowed_only_if_the_server_is_not_public"),
]  # fmt: skip
