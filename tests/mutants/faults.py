"""Faults, each named for its consequence. A rule of the contract or of security has one here."""

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import replace as with_fields
from datetime import timedelta
from typing import Any

from tests.mutants.replacing import original, replace, replace_in_sql, wrong_function

Break = Callable[[], None]


@dataclass(frozen=True)
class Fault:
    """A function that breaks a rule, and the test that must fail then, as named in tests/."""

    break_rule: Break
    test: str


FAULTS: dict[str, Fault] = {}


def found_by(test: str) -> Callable[[Break], Break]:
    """Add a function to the faults."""

    def add(break_rule: Break) -> Break:
        FAULTS[break_rule.__name__] = Fault(break_rule, f"tests/{test}")
        return break_rule

    return add


def nothing(*_: Any, **__: Any) -> None:
    """Check nothing."""


async def nothing_async(*_: Any, **__: Any) -> None:
    """Check nothing."""


def row_of_permissions(name: str, **fields: Any) -> None:
    """Change a row of the table of permissions."""
    replace(f"permissions:{name}", with_fields(original(f"permissions:{name}"), **fields))


# Permissions


@found_by("organizations/test_members.py::test_readers_see_members_and_admins_change_them")
def every_role_holds_every_other() -> None:
    replace("permissions:_Role.holds", lambda self, needed: True)


@found_by("permissions/test_matrix.py::test_every_route_is_in_the_table_and_requires_its_permission")
def readers_manage_keys() -> None:
    row_of_permissions("MANAGE_KEYS", organization=original("permissions:OrganizationRole").READER)


@found_by("messages/test_one_message.py::test_a_message_can_be_edited_only_by_its_sender")
def anyone_edits_a_message() -> None:
    row_of_permissions("EDIT_MESSAGE", sender=False)


@found_by("organizations/test_invitations.py::test_integrations_cannot_invite")
def integrations_invite() -> None:
    row_of_permissions("INVITE", people_only=False)


@found_by("webhooks/test_management.py::test_a_subscription_requires_space_admin_of_its_room_or_space")
def a_space_requires_no_role() -> None:
    replace("spaces.reach:require_space_role", nothing)


@found_by("spaces/test_spaces.py::test_a_person_has_the_highest_of_their_roles_in_a_space")
def everyone_is_admin_of_every_space() -> None:
    wrong_function(
        "role_in", "select organization_id, organization_role, 'admin'::space_role from right_role_in($1, $2, $3)"
    )


@found_by("organizations/test_organization.py::test_another_organization_is_not_found")
def other_organizations_are_found() -> None:
    replace_in_sql("organizations.queries:REACH", "m.actor_id = $2", "$2::uuid is not null")


@found_by("organizations/test_members.py::test_only_a_super_admin_appoints_admins")
def admins_appoint_admins() -> None:
    replace("organizations.membership:require_may_assign", nothing)


@found_by("organizations/test_members.py::test_the_last_super_admin_cannot_be_removed")
def the_last_super_admin_can_be_removed() -> None:
    replace("organizations.membership:require_super_admin_left", nothing)


@found_by("sessions/test_adoption.py::test_an_account_of_no_other_organization_joins_without_its_former_keys")
def an_account_joins_with_its_former_keys() -> None:
    replace("organizations.adoption:hand_over", nothing_async)


# Keys


@found_by("kit/test_tokens.py::test_any_changed_character_is_detected")
def the_checksum_of_a_key_does_not_count() -> None:
    replace("keys.tokens:is_well_formed", lambda key: True)


@found_by("keys/test_key_format.py::test_the_database_stores_the_hash_of_a_key_and_never_the_key")
def a_key_is_stored() -> None:
    replace("keys.tokens:hash_of", lambda key: key.encode()[:32])


@found_by("keys/test_own_keys.py::test_a_revoked_key_stops_and_is_no_longer_listed")
def a_revoked_key_works() -> None:
    replace_in_sql("keys.queries:REVOKE", "revoked_at = $2", "last_used_at = $2")


@found_by("keys/test_own_keys.py::test_a_key_expires_at_its_time")
def an_expired_key_works() -> None:
    wrong_function("caller_of", "select * from right_caller_of($1, '2000-01-01', $3, $4)")


@found_by("keys/test_limits.py::test_outside_of_its_scopes_a_key_is_rejected_alike_for_every_room")
def a_key_works_outside_of_its_scopes() -> None:
    wrong_function("caller_of", "select * from right_caller_of($1, $2, '', $4)")


@found_by("keys/test_limits.py::test_scopes_and_networks_are_narrowed_and_not_widened")
def the_networks_of_a_key_are_widened() -> None:
    replace("keys.limits:covers", lambda outer, inner: True)


@found_by("keys/test_limits.py::test_an_integrations_key_with_networks_creates_and_rotates_none_for_others")
def a_key_rotates_one_with_wider_limits() -> None:
    replace("keys.limits:require_within_own", nothing_async)


@found_by("keys/test_expiry.py::test_an_expired_key_is_renewed_by_rotating_it")
def an_expired_key_comes_back() -> None:
    replace("keys.limits:require_not_expired", nothing)


@found_by("keys/test_who_manages.py::test_a_person_has_at_most_fifty_keys")
def a_person_has_more_keys() -> None:
    replace("keys.actions:MAX_KEYS", 51)


@found_by("keys/test_who_manages.py::test_an_integration_cannot_manage_a_key_that_reaches_further_than_its_own")
def an_integration_manages_keys_that_reach_further() -> None:
    replace("integrations.actions:require_covers_access", nothing_async)


@found_by("keys/test_who_manages.py::test_only_a_super_admin_manages_keys_of_integrations_that_are_admin_or_higher")
def admins_manage_keys_of_admins() -> None:
    replace("integrations.actions:require_may_assign_role", nothing)


@found_by("keys/test_idempotency.py::test_another_body_under_the_same_key_is_rejected")
def two_bodies_have_one_idempotency_key() -> None:
    replace("kit.http.idempotency:hash_of_body", lambda body: b"")


@found_by("keys/test_idempotency.py::test_another_key_of_the_same_person_cannot_decrypt_a_stored_response")
def another_key_decrypts_a_stored_response() -> None:
    replace("kit.http.idempotency:_cipher_key", lambda secret, key: key.key)


@found_by("keys/test_idempotency.py::test_an_idempotency_key_is_remembered_for_a_day")
def an_idempotency_key_is_forgotten_early() -> None:
    replace("kit.http.idempotency:RETENTION", timedelta(hours=23))


# Sessions


@found_by("sessions/test_forged_requests.py::test_a_cross_site_change_with_a_cookie_is_rejected_and_changes_nothing")
def another_site_uses_the_cookie() -> None:
    replace("kit.http.origin:require_same_origin", nothing)


@found_by("sessions/test_throttle.py::test_after_five_wrong_passwords_each_attempt_waits_twice_as_long")
def passwords_are_guessed_without_a_pause() -> None:
    replace("kit.http.attempts:pause_after", lambda attempts, limit: timedelta(0))


@found_by("sessions/test_passwords.py::test_an_account_without_a_password_accepts_none_not_even_the_dummy")
def the_dummy_password_signs_in() -> None:
    right = original("sessions.passwords.hashing:_verify")
    dummy = original("sessions.passwords.hashing:_dummy_hash")
    replace("sessions.passwords.hashing:_verify", lambda hashed, password: right(hashed or dummy(), password))


@found_by("sessions/test_oidc.py::test_an_unverified_address_links_no_account")
def an_unverified_address_links_an_account() -> None:
    right = original("sessions.oidc.provider:_to_identity")
    replace("sessions.oidc.provider:_to_identity", lambda claims: right({**claims, "email_verified": True}))


# Messages


@found_by("messages/test_walk_properties.py::test_ids_and_times_rise_with_every_send_under_a_clock_that_jumps")
def ids_follow_the_clock() -> None:
    replace_in_sql("messages.queries:SEND", "greatest(head.last_seq + 1, ", "greatest(0, ")


@found_by(
    "messages/test_walk_properties.py::test_a_walk_reads_every_message_once_with_any_changes_between_its_requests"
)
def a_page_repeats_the_message_of_its_cursor() -> None:
    replace_in_sql(
        "messages.page_queries:PAGE_OF_ROOM", "m.message_id < shard.before_id", "m.message_id <= shard.before_id"
    )


@found_by("messages/test_thread_properties.py::test_a_thread_is_read_completely_and_in_order_at_any_page_size")
def a_thread_repeats_the_message_of_its_cursor() -> None:
    replace_in_sql("messages.page_queries:PAGE_OF_THREAD", "message_id > coalesce(", "message_id >= coalesce(")


@found_by("contract/test_bad_input.py::test_half_a_message_cursor_is_rejected")
def half_a_cursor_is_accepted() -> None:
    right = original("messages.requests:read_cursor")
    replace("messages.requests:read_cursor", lambda at, message: right(at, message if at else None))


@found_by("contract/test_unreachable_rooms.py::test_an_unreachable_room_is_answered_like_a_missing_one_on_every_route")
def a_room_out_of_reach_is_forbidden() -> None:
    errors = original("messages.requests:ERRORS")
    errors["room_not_found"] = errors["forbidden"]


@found_by("messages/test_one_message.py::test_a_tombstone_keeps_its_position_and_no_content")
def a_tombstone_keeps_its_text() -> None:
    replace_in_sql("messages.queries:DELETE_MESSAGE", "text = '', ", "")


@found_by("messages/test_one_message.py::test_a_message_can_have_fifty_different_emoji")
def a_message_has_more_emoji() -> None:
    replace("messages.model:MAX_EMOJI", 51)


@found_by("messages/test_bounds.py::test_the_bound_is_exact_to_the_byte")
def a_message_is_a_byte_larger() -> None:
    replace("messages.limits:MAX_BYTES", (128 << 10) + 1)


@found_by("audit/test_trail.py::test_each_change_leaves_exactly_one_entry_without_secrets")
def changes_leave_no_entry() -> None:
    replace("audit.trail:record", nothing_async)


# Webhooks


@found_by("webhooks/test_pausing.py::test_a_failure_is_retried_as_scheduled_and_counts_once")
def the_schedule_ends_early() -> None:
    right = original("webhooks.delivery.retry:after_failure")
    replace(
        "webhooks.delivery.retry:after_failure",
        lambda number, at, schedule, *, manual: right(number, at, schedule[:-1], manual=manual),
    )


@found_by("webhooks/test_pausing.py::test_pings_and_resends_never_count")
def a_manual_resend_is_retried() -> None:
    right = original("webhooks.delivery.retry:after_failure")
    replace(
        "webhooks.delivery.retry:after_failure",
        lambda number, at, schedule, *, manual: right(number, at, schedule, manual=False),
    )


@found_by("webhooks/test_pausing.py::test_ten_failures_within_three_days_pause_it_and_mail_every_admin_once")
def eleven_failures_pause() -> None:
    replace("webhooks.delivery.pause_rules:THRESHOLD", 11)


@found_by("webhooks/test_pausing.py::test_ten_failures_over_more_than_three_days_leave_it_active")
def failures_count_for_four_days() -> None:
    replace("webhooks.delivery.pause_rules:PERIOD", timedelta(days=4))


@found_by("webhooks/test_events.py::test_an_inactive_webhook_receives_nothing_and_its_log_shows_missed_events")
def an_inactive_webhook_receives_events() -> None:
    wrong_function(
        "subscribers_to",
        "select webhook_id, true, includes_message from right_subscribers_to($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )


@found_by("webhooks/test_signing.py::test_openssl_creates_the_same_signature")
def the_prefix_is_not_part_of_the_secret() -> None:
    right = original("webhooks.delivery.signing:sign")
    replace("webhooks.delivery.signing:sign", lambda secret, body: right(secret.removeprefix("whsec_"), body))


@found_by("webhooks/test_signing.py::test_a_standard_webhooks_verifier_accepts_a_delivery")
def the_standard_signature_has_no_time() -> None:
    right = original("webhooks.delivery.signing:standard_signature")
    replace(
        "webhooks.delivery.signing:standard_signature", lambda secrets, name, at, body: right(secrets, name, 0, body)
    )


@found_by("webhooks/test_events.py::test_both_secrets_sign_during_the_overlap_and_then_only_the_new_one")
def only_the_new_secret_signs() -> None:
    right = original("webhooks.delivery.attempt:_secrets")
    replace("webhooks.delivery.attempt:_secrets", lambda claimed, vault, now: right(claimed, vault, now)[-1:])


@found_by("webhooks/test_events.py::test_a_custom_header_with_the_name_of_a_built_in_one_is_dropped_in_any_case")
def a_custom_header_replaces_ours() -> None:
    replace("webhooks.delivery.headers:with_custom", lambda own, custom: {**own, **custom})


@found_by("webhooks/test_authentication.py::test_a_stored_secret_is_never_sent_to_another_url")
def a_stored_secret_is_sent_to_another_url() -> None:
    replace("webhooks.authentication.model:Destination.urls", ())


@found_by("webhooks/test_filters.py::test_a_key_that_reads_no_messages_reads_none_through_a_webhook")
def a_key_reads_messages_through_a_webhook() -> None:
    replace("webhooks.manage.scopes:scopes_of_content", lambda event_type, *, has_message: iter(()))


@found_by("kit/test_outbound.py::test_redirects_are_failures_and_never_followed")
def a_redirect_is_a_success() -> None:
    replace("kit.network.outbound:error_of", lambda code: None if code < 400 else f"HTTP {code}")


@found_by("kit/test_addresses.py::test_other_addresses_are_rejected_with_a_reason")
def shared_addresses_are_public() -> None:
    networks = original("kit.network.addresses:FORBIDDEN_4")
    networks[:] = [(network, kind) for network, kind in networks if kind != "a shared address"]


@found_by("kit/test_addresses.py::test_an_address_forbidden_as_ipv4_is_forbidden_inside_any_ipv6")
def an_address_hides_inside_another() -> None:
    replace("kit.network.addresses:_embedded", lambda address: [])


@found_by("kit/test_outbound_addresses.py::test_every_address_is_checked_before_connecting")
def addresses_are_not_checked() -> None:
    replace("kit.network.addresses:AddressRules.error", lambda self, address: None)
