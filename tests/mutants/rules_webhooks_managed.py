"""Webhooks: who manages them, what they subscribe to, their log, resends and replays."""

from tests.mutants.mutation import broken, sql_of

FILTERED = "webhooks/test_events.py::test_subscriptions_to_a_room_a_space_and_a_filter_match_only_their_events"
LISTED = "webhooks/test_events.py::test_the_log_is_filtered_and_paged_newest_first"
GRADUALLY = (
    "webhooks/test_pausing.py::test_a_reactivated_webhook_sends_waiting_events_gradually_and_can_replay_missed_ones"
)
REPLAYED = "webhooks/test_pausing.py::test_a_replayed_event_that_fails_again_is_not_counted_again"
RESENT = "webhooks/test_events.py::test_a_failed_manual_resend_leaves_a_delivered_event_succeeded"
NO_ROOM = "webhooks/test_management.py::test_the_log_does_not_name_unreachable_rooms"
OTHERS = "webhooks/test_management.py::test_rooms_and_spaces_of_another_organization_are_not_found"
SPACE_ADMIN = "webhooks/test_management.py::test_a_subscription_requires_space_admin_of_its_room_or_space"
NOT_ACTIVE = "webhooks/test_management.py::test_nothing_is_resent_or_replayed_while_a_webhook_is_inactive"
DELETED = (
    "webhooks/test_events.py::test_a_webhook_reports_a_deleted_room_or_space_and_its_waiting_deliveries_are_missed"
)
ANSWERED = "webhooks/test_events.py::test_the_response_code_is_that_of_the_last_attempt_or_null"
MISSED = "webhooks/test_events.py::test_an_inactive_webhook_receives_nothing_and_its_log_shows_missed_events"
EXPIRED = "webhooks/test_pausing.py::test_three_days_after_the_first_failure_the_count_and_the_limit_of_attempts_reset"
ADMINS_MAILED = "webhooks/test_pausing.py::test_ten_failures_within_three_days_pause_it_and_mail_every_admin_once"

ACTIONS, QUERIES, LOG, REPLAYS = "webhooks/actions.py", "webhooks/queries.py", "webhooks/log.py", "webhooks/replays.py"
LOG_QUERIES = "webhooks/log_queries.py"
ADDRESSES = "migrations/functions/admin_addresses.sql"
SCOPES = "webhooks/event_scopes.py"
ASKS_NONE = "webhooks/test_filters.py::test_a_key_that_reads_no_messages_asks_for_none_by_what_they_say"
SENDS_NOTHING = "webhooks/test_catalogue.py::test_a_key_sends_nothing_elsewhere_that_it_may_not_read"
READS_NONE = "webhooks/test_filters.py::test_a_key_that_reads_no_messages_reads_none_through_a_webhook"
CHOOSES = "webhooks/test_filters.py::test_a_filter_chooses_the_messages_that_fit_every_field"
INCLUDES = "webhooks/test_filters.py::test_an_event_includes_the_message_where_a_subscription_asks_for_it"
SUBSCRIPTIONS, FILTERS = "webhooks/subscriptions.py", sql_of("subscribers_to")

WEBHOOKS = [
    broken("a subscription takes its own kind of event", FILTERS, "wanted\n                  and keeps_out", "s.subscription_type\n                  and keeps_out", "webhooks/test_events.py::test_the_transcript_event_has_its_own_subscription_and_data"),
    broken("a filter keeps other types of rooms out", sql_of("keeps_out"), "s.room_type <> type_of_room", "false", FILTERED),
    broken("a space's subscription takes its rooms", FILTERS, "end = any(array[room, space])", "end = any(array[room])", FILTERED),
    broken("an event is delivered only where it is subscribed to", FILTERS, "case when s.words is null then s.subject_id end = any(array[room, space])", "s.words is null", FILTERED),
    broken("the log is kept thirty days", sql_of("keep_deliveries"), "now::date - keep loop", "now::date - keep + 1 loop", "webhooks/test_events.py::test_the_log_is_kept_thirty_days_and_then_dropped_by_partition"),
    broken("thirty days are what the service runs", ACTIONS, "RETENTION_DAYS = 30", "RETENTION_DAYS = 29", "contract/test_claims.py::test_the_service_keeps_the_delivery_log_for_thirty_days"),
    broken("of a deleted room what waits is MISSED", sql_of("miss_deliveries"), "in ('DELIVERY_STATUS_PENDING', 'DELIVERY_STATUS_RETRYING')", "in ('DELIVERY_STATUS_PENDING')", DELETED),
    broken("what a webhook missed is in its log as MISSED", "messages/queries.py", "else 'DELIVERY_STATUS_MISSED' end)", "else 'DELIVERY_STATUS_FAILED' end)", MISSED, part="SEND"),
    broken("webhooks that are not ACTIVE get nothing", "messages/queries.py", "case when not subscriber.active then null when", "case when", MISSED, part="SEND"),
    broken("an event of a webhook that is not ACTIVE is MISSED", sql_of("queue_event"), "case when s.active then 'DELIVERY_STATUS_PENDING' else 'DELIVERY_STATUS_MISSED' end", "case when s.active then 'DELIVERY_STATUS_PENDING' else 'DELIVERY_STATUS_PENDING' end", "webhooks/test_events.py::test_the_transcript_event_has_its_own_subscription_and_data"),
    broken("an edit is sent to webhooks", sql_of("queue_live_event"), "'message.edited', ", "", "webhooks/test_audience.py"),
    broken("a webhook's filter of room types holds for every event of a room", sql_of("queue_live_event"), "new.space_id, room.room_type,", "new.space_id, 'video',", "webhooks/test_catalogue.py::test_a_subject_gets_only_its_own_events"),
    broken("a key without the scope includes no message", SCOPES, "subscription.include or (chosen and (chosen.words or chosen.mentions))", "chosen and (chosen.words or chosen.mentions)", READS_NONE),
    broken("a key without the scope asks for no words", SCOPES, "chosen.words or chosen.mentions", "chosen.mentions", ASKS_NONE),
    broken("who may not read messages learns from no match what they say", "webhooks/matching.py", "call.caller.require_scope(Scope.MESSAGES_READ)", "pass", READS_NONE),
    broken("a log hides messages of a webhook that includes them", SCOPES, "if has_message:", "if False:", READS_NONE),
    broken("nothing is resent that its sender may not read", LOG, "raise Forbidden(\"You may not read what this delivery contains, so you cannot resend it.\")", "pass", SENDS_NOTHING),
    broken("nothing is replayed or sent elsewhere that its sender may not read", LOG, "if is_unlimited(call, organization):", "if True:", SENDS_NOTHING),
    broken("words are whole words", "messages/filter_words.py", "] = NO_END", "] = END", "webhooks/test_filter_words.py::test_a_text_does_not_have_a_word"),
    broken("senders are filtered", sql_of("keeps_out"), "sender <> all(s.sender_ids)", "false", CHOOSES),
    broken("threads are filtered", sql_of("keeps_out"), "(s.thread = 'reply') <> is_reply", "false", CHOOSES),
    broken("mentions are filtered", sql_of("keeps_out"), "not mentioned && s.mentions then", "false then", CHOOSES),
    broken("a message is included where it is asked for", FILTERS, "bool_or(s.includes_message)", "true", INCLUDES),
    broken("only people join", sql_of("queue_membership"), "and exists (select from people p where p.person_id = member.actor_id)", "", "webhooks/test_audience.py::test_integrations_are_not_people"),
    broken("a log hides what its reader may not read elsewhere", "webhooks/log.py", "each.subject_id not in hidden and _is_in_scope(call, each)", "each.subject_id not in hidden", "webhooks/test_catalogue.py::test_a_webhook_passes_on_nothing_that_its_key_may_not_read"),
    broken("a key without the scope subscribes to no audit log", SUBSCRIPTIONS, "call.caller.require_scope(scope)", "pass", "webhooks/test_catalogue.py::test_a_webhook_passes_on_nothing_that_its_key_may_not_read"),
    broken("an expired count shows as none", QUERIES, "case when w.first_failure_at < $5::timestamptz then 0 else", "case when w.first_failure_at < $5::timestamptz then w.failure_count else", EXPIRED, part="WEBHOOKS"),
    broken("a webhook of another organization is not found", QUERIES, "where w.organization_id = $1 and", "where $1::uuid is not null and", "webhooks/test_management.py", part="WEBHOOKS"),
    broken("a webhook says which subjects were deleted", QUERIES, "r.deleted_at is null and p.deleted_at is null)", "r.deleted_at is null)", DELETED, part="WEBHOOKS"),
    broken("what can be replayed is counted", QUERIES, "d.status = 'DELIVERY_STATUS_MISSED'", "d.status <> 'DELIVERY_STATUS_MISSED'", MISSED, part="WEBHOOKS"),
    broken("made ACTIVE, a webhook begins with no failures", QUERIES, "failure_count = 0, first_failure_at = null\n", "failure_count = failure_count\n", GRADUALLY, part="SET_STATUS"),
    broken("what waited goes gradually", QUERIES, "late.nr * $3::interval", "0 * $3::interval", GRADUALLY, part="SPREAD_OVERDUE"),
    broken("what was missed goes gradually", LOG_QUERIES, "(nr - 1) * $6::interval", "0 * $6::interval", GRADUALLY, part="REPLAY"),
    broken("a replay leaves pings out", LOG_QUERIES, "\n      and event_type <> 'ping'", "", REPLAYED, part="REPLAY"),
    broken("a replay takes the status asked for", LOG_QUERIES, "status = $2 and delivery_id", "$2::delivery_status is not null and delivery_id", GRADUALLY, part="REPLAY"),
    broken("a replay ends at its end time", LOG_QUERIES, "delivery_id < id_floor($4::bigint)", "delivery_id > id_floor($4::bigint - 9999999999)", GRADUALLY, part="REPLAY"),
    broken("resent, what was delivered stays SUCCEEDED", LOG_QUERIES, "in ('DELIVERY_STATUS_PENDING', 'DELIVERY_STATUS_SUCCEEDED')", "in ('DELIVERY_STATUS_PENDING')", RESENT, part="RESEND"),
    broken("the log comes newest first", LOG_QUERIES, "order by delivery_id desc limit $7", "order by delivery_id limit $7", LISTED, part="LOGS"),
    broken("the log is filtered by status", LOG_QUERIES, "or status = $3)", "or status <> $3)", LISTED, part="LOGS"),
    broken("the log is filtered by type", LOG_QUERIES, "or event_type = $4)", "or event_type <> $4)", LISTED, part="LOGS"),
    broken("the log is filtered by its beginning", LOG_QUERIES, "delivery_id >= id_floor($5::bigint)", "delivery_id <> id_floor($5::bigint)", LISTED, part="LOGS"),
    broken("what waits while it is not ACTIVE names no next time", LOG_QUERIES, "w.status = 'WEBHOOK_STATUS_ACTIVE'", "w.status <> 'WEBHOOK_STATUS_PAUSED'", "webhooks/test_events.py::test_a_waiting_delivery_of_an_inactive_webhook_has_no_next_attempt_time", part="LOGS"),
    broken("admins alone are mailed", ADDRESSES, "m.role >= 'admin'", "m.role >= 'reader'", ADMINS_MAILED),
    broken("who was deactivated is not mailed", ADDRESSES, " and m.deactivated_at is null", "", ADMINS_MAILED),
    broken("a response code is the last attempt's", LOG, "attempts[-1].response_code", "attempts[0].response_code", ANSWERED),
    broken("retries are counted without the first attempt", LOG, "max(0, len(attempts) - 1)", "len(attempts)", "webhooks/test_delivery.py::test_attempts_follow_the_schedule_from_the_end_of_the_previous_one_and_then_a_mail_is_sent"),
    broken("the log names rooms to who reaches them", LOG, "is ActorKind.PERSON and organization.role.holds(OrganizationRole.ADMIN)", "is ActorKind.PERSON", "webhooks/test_management.py::test_a_person_sees_log_entries_only_of_reachable_rooms"),
    broken("an integration reads only of rooms it reaches", LOG, "call.caller.kind is ActorKind.PERSON and organization.role", "organization.role", NO_ROOM),
    broken("what was answered about a room is shown to who reaches it", LOG, 'response_excerpt=""', "response_excerpt=each.response_excerpt", NO_ROOM),
    broken("what was sent about a room is shown to who reaches it", LOG, 'request_body="", ', "", NO_ROOM),
    broken("nobody sets PAUSED by hand", ACTIONS, "if status is WebhookStatus.PAUSED:", "if status is None:", GRADUALLY),
    broken("an empty filter is none", ACTIONS, "len(set(rows)) < len(requested)", "len(rows) < len(requested)", "webhooks/test_management.py::test_a_duplicate_subscription_is_rejected"),
    broken("what it held already can stay", ACTIONS, "if row not in known:", "if known is not None:", "webhooks/test_management.py::test_existing_subscriptions_can_stay_and_only_new_ones_need_permission"),
    broken("only what is new is asked for", ACTIONS, "if row not in known:", "if not known:", "webhooks/test_management.py::test_existing_subscriptions_can_stay_and_only_new_ones_need_permission"),
    broken("a space of another organization is not there", SUBSCRIPTIONS, "if space.organization_id != organization.organization_id:", "if not space.organization_id:", OTHERS),
    broken("a room of another organization is not there", SUBSCRIPTIONS, "if room.organization_id != organization.organization_id:", "if not room.organization_id:", OTHERS),
    broken("a space's subscription needs its admin", SUBSCRIPTIONS, "subscription.subject_id, may.MANAGE_SPACE_ACCESS", "subscription.subject_id, may.READ_SPACE", SPACE_ADMIN),
    broken("a room's subscription needs its space's admin", SUBSCRIPTIONS, "subscription.subject_id, may.MANAGE_ROOM", "subscription.subject_id, may.READ_ROOM", SPACE_ADMIN),
    broken("an endpoint is looked at when it changes", ACTIONS, "require_destinations(call, moved_to, authentication)", "require_destinations(call, None, authentication)", "webhooks/test_management.py::test_a_forbidden_endpoint_is_rejected_in_a_change"),
    broken("nothing is resent while it is INACTIVE", REPLAYS, "if webhook.status is not WebhookStatus.ACTIVE:", "if webhook.status is WebhookStatus.PAUSED:", NOT_ACTIVE),
    broken("nothing is resent while it is PAUSED", REPLAYS, "if webhook.status is not WebhookStatus.ACTIVE:", "if webhook.status is WebhookStatus.INACTIVE:", NOT_ACTIVE),
    broken("only what was missed or given up is replayed", REPLAYS, "not in (DeliveryStatus.MISSED, DeliveryStatus.FAILED)", "not in (DeliveryStatus.MISSED, DeliveryStatus.FAILED, DeliveryStatus.SUCCEEDED)", "webhooks/test_management.py"),
]  # fmt: skip
