"""Keys: format, hash, expiry, rotation, revocation, who manages them, repeated creates, the rate limit."""

from tests.mutants.mutation import broken

NOTICED = "kit/test_tokens.py::test_any_one_character_changed_is_noticed"
OWN, ORGANIZATION, MANAGES = "keys/test_own_keys.py", "keys/test_organization_keys.py", "keys/test_who_manages.py"
REVOKED = f"{OWN}::test_a_revoked_key_is_dead_and_gone"
STOPPED = "faults/test_immediate_effect.py::test_the_keys_of_a_stopped_account_stop_immediately"
ENDS = f"{OWN}::test_a_key_ends_when_it_was_said_to"
RENEWED = "keys/test_expiry.py::test_an_expired_key_is_renewed_by_rotating_it"
MOVED = "keys/test_expiry.py::test_the_end_of_a_key_that_lives_can_be_moved"
LEFT = "keys/test_expiry.py::test_a_rotation_leaves_the_end_or_moves_it"
NO_LONGER = f"{MANAGES}::test_a_personal_key_lives_no_longer_than_the_key_that_it_was_made_with"
INTEGRATIONS_KEY = f"{MANAGES}::test_an_integrations_key_lives_no_longer_than_the_key_that_it_was_made_with"
ABOVE = f"{MANAGES}::test_only_a_super_admin_manages_the_keys_of_integrations_that_are_admin_or_above"
FURTHER = f"{MANAGES}::test_an_integration_touches_no_key_that_reaches_further_than_its_own"
HIGHER = f"{MANAGES}::test_an_integration_touches_no_key_that_stands_higher_in_a_space_than_its_own"
OF_ANOTHER = f"{ORGANIZATION}::test_a_key_of_another_organization_is_not_found"
BUCKET = "kit/test_rate_limit.py::test_a_burst_is_five_seconds_worth_to_the_request"
AGAIN = "kit/test_rate_limit.py::test_after_the_wait_that_it_names_a_request_goes_through"

TOKENS, QUERIES, EXPIRY, ACTIONS = "keys/tokens.py", "keys/queries.py", "keys/expiry.py", "keys/actions.py"
MANAGING, INTEGRATIONS = "integrations/managing.py", "integrations/queries.py"
KEY_ACTIONS = "integrations/actions.py"
FOUNDATION, IDEMPOTENCY, LIMIT = (
    "migrations/versions/0001_foundation.sql",
    "kit/http/idempotency.py",
    "kit/http/rate_limit.py",
)

KEYS = [
    broken("a key's checksum is looked at", TOKENS, " and check == _checksum(body)", "", NOTICED),
    broken("a key's checksum is over all of it", TOKENS, 'crc32(body.encode("utf-8", "surrogatepass"))', 'crc32(body[5:].encode("utf-8", "surrogatepass"))', "kit/test_tokens.py", "keys/test_key_format.py"),
    broken("a key begins with a prefix of ours", TOKENS, " and key.startswith(PREFIXES)", "", "kit/test_tokens.py::test_what_was_minted_elsewhere_in_the_same_form_is_none_of_ours"),
    broken("a key has 30 random characters", TOKENS, "RANDOM_LENGTH, CHECK_LENGTH = 30, 6", "RANDOM_LENGTH, CHECK_LENGTH = 29, 6", "kit/test_tokens.py::test_a_minted_key_has_the_form_that_scanners_know"),
    broken("a key's hash alone is kept", TOKENS, "return sha256(key.encode()).digest()", "return key.encode()[:32]", "keys/test_key_format.py::test_the_database_holds_a_keys_hash_and_never_the_key"),
    broken("a revoked key is dead", FOUNDATION, "key.key_hash = hash and key.revoked_at is null and (", "key.key_hash = hash and (", REVOKED, f"{ORGANIZATION}::test_a_revoked_key_is_dead_and_what_it_wrote_stays"),
    broken("a key ends at the moment it expires", FOUNDATION, "key.expires_at > now)", "key.expires_at >= now)", ENDS),
    broken("a key expires", FOUNDATION, " and (key.expires_at is null or key.expires_at > now)", "", ENDS),
    broken("a key stops with its account", FOUNDATION, "where m.actor_id = key.actor_id and m.deactivated_at is null)", "where m.actor_id = key.actor_id)", STOPPED),
    broken("a rotated key is dead", QUERIES, "update api_keys set key_hash = $2, last_four = $3, expires_at = $4", "update api_keys set last_four = right(encode($2, 'hex'), 4), expires_at = $4, name = coalesce(name, $3)", f"{OWN}::test_a_rotated_key_stops_immediately", part="REPLACE"),
    broken("sessions are no keys of one's own", QUERIES, " and not is_session", "", "sessions/test_sessions.py::test_sessions_are_listed_with_the_present_one_marked_and_are_no_keys_of_ones_own", part="PERSONAL_KEYS"),
    broken("a revoked key is not listed", QUERIES, " and revoked_at is null", "", REVOKED, part="PERSONAL_KEYS"),
    broken("a revoked key is not found", QUERIES, " and revoked_at is null", "", REVOKED, part="PERSONAL_KEY"),
    broken("another's key is not one's own", QUERIES, "where actor_id = $1 and", "where $1::uuid is not null and", f"{OWN}::test_another_persons_key_is_no_key_of_ones_own", part="PERSONAL_KEY"),
    broken("a stopped key is not counted against its owner", QUERIES, " and revoked_at is null", "", "kit/test_rate_limit.py::test_what_is_done_with_a_stopped_key_is_not_counted_against_its_owner", part="ACTOR_OF_KEY"),
    broken("a session that ends makes a key that does not", QUERIES, "where api_key_id = $1 and not is_session", "where api_key_id = $1", f"{MANAGES}::test_a_session_that_ends_makes_a_key_that_does_not"),
    broken("fifty keys a person", ACTIONS, ") >= MAX_PERSONAL_KEYS:", ") > MAX_PERSONAL_KEYS:", f"{MANAGES}::test_a_person_has_fifty_keys_and_no_more"),
    broken("no key is made that has expired", EXPIRY, "if at <= now:", "if at is now:", "keys/test_expiry.py", OWN),
    broken("a personal key lives no longer than its maker", EXPIRY, "at is not None and at > ends:\n        raise invalid_field", "at is not None and at is ends:\n        raise invalid_field", NO_LONGER),
    broken("a personal key ends with its maker's", EXPIRY, "return at or ends", "return at", NO_LONGER),
    broken("a rotation gives no longer life", EXPIRY, "if ends is not None and (at is None or at > ends):", "if ends is not None and at is None:", NO_LONGER, INTEGRATIONS_KEY),
    broken("a rotation gives no life without end", EXPIRY, "if ends is not None and (at is None or at > ends):", "if ends is not None and at is not None and at > ends:", NO_LONGER, INTEGRATIONS_KEY),
    broken("an expired key is renewed with a new end only", EXPIRY, "    require_not_expired(present, now)\n    return None if present", "    return None if present", RENEWED),
    broken("an expired key does not come back by a change", EXPIRY, "    require_not_expired(present, now)\n    return expiry(", "    return expiry(", RENEWED, MOVED),
    broken("a rotation leaves the end", EXPIRY, "return None if present is None else parse_time(present)", "return None", LEFT),
    broken("a rotation moves the end", EXPIRY, "    if wanted is not UNSET:\n        return expiry(wanted, now)\n", "", LEFT, RENEWED),
    broken("an organization key has no account", "keys/caller.py", "if caller.kind is not ActorKind.PERSON:", "if caller.kind is None:", f"{OWN}::test_an_organization_key_has_no_account"),
    broken("a super_admin alone manages keys of admins", MANAGING, "if is_above and organization.role is not OrganizationRole.SUPER_ADMIN", "if is_above and organization.role is OrganizationRole.READER", ABOVE),
    broken("admin is above", MANAGING, "role.holds(OrganizationRole.ADMIN) for role", "role.holds(OrganizationRole.SUPER_ADMIN) for role", ABOVE),
    broken("both roles count, that it has and is to have", KEY_ACTIONS, "found.organization_role, *roles)", "*roles)", ABOVE, f"{ORGANIZATION}::test_an_admin_gets_no_super_admins_key_by_rotating_it"),
    broken("the role that it is to have counts", KEY_ACTIONS, "found.organization_role, *roles)", "found.organization_role)", ABOVE),
    broken("an integration manages none that reaches further", MANAGING, "    if caller.kind is ActorKind.PERSON:\n        return  #", "    if caller.kind is not None:\n        return  #", FURTHER),
    broken("further is also a higher role in the same space", INTEGRATIONS, "held where held.role >= g.role", "held where held.role is not null", HIGHER, part="REACHES_FURTHER"),
    broken("an integration revokes none that reaches further", KEY_ACTIONS, "    await require_reaches_as_far(call, found.integration_id)\n", "", FURTHER),
    broken("an integration's key gives no longer life", MANAGING, "if call.caller.kind is ActorKind.INTEGRATION:", "if call.caller.kind is None:", INTEGRATIONS_KEY),
    broken("what an integration makes ends with it", MANAGING, "    if call.caller.kind is ActorKind.PERSON:\n        return expiry(", "    if call.caller.kind is not None:\n        return expiry(", INTEGRATIONS_KEY),
    broken("a space is named once", MANAGING, "for space in spaces}) < len(spaces)", "for space in spaces}) > len(spaces)", f"{ORGANIZATION}::test_a_space_named_twice_is_refused"),
    broken("an integration grants at most what it holds", "spaces/actions.py", "if not SpaceRole(held).holds(role):", "if not held:", f"{ORGANIZATION}::test_an_integration_grants_at_most_what_it_holds"),
    broken("who makes a key of an admin is a super_admin", MANAGING, "    require_may_give(organization, role)\n", "", ABOVE),
    broken("a key of another organization is not found", INTEGRATIONS, "where i.organization_id = $1 and", "where $1::uuid is not null and", OF_ANOTHER, part="KEY"),
    broken("a revoked organization key is not found", INTEGRATIONS, " and k.revoked_at is null", "", f"{ORGANIZATION}::test_a_revoked_key_is_dead_and_what_it_wrote_stays", part="KEY"),
    broken("another body under the same Idempotency-Key", IDEMPOTENCY, 'if seen is None or seen["body_hash"] != body_hash:', "if seen is None:", "keys/test_idempotency.py::test_another_body_under_the_same_key_is_refused"),
    broken("a kept answer is sealed with its key", IDEMPOTENCY, r"idempotency\n{secret}\n{key}", r"idempotency\n{key}", "keys/test_idempotency.py::test_what_one_key_sealed_another_key_of_the_same_person_cannot_open"),
    broken("a secret is in one answer", IDEMPOTENCY, "if seen[\"status\"] == AlreadyDone.status:", "if seen[\"status\"] is None:", "keys/test_idempotency.py::test_a_key_or_a_secret_is_in_one_answer_and_the_repetition_names_what_was_made"),
    broken("an Idempotency-Key is known for a day", IDEMPOTENCY, "timedelta(hours=24)", "timedelta(hours=23)", "keys/test_idempotency.py::test_a_key_is_known_for_a_day"),
    broken("a burst is five seconds' worth", LIMIT, "BURST_SECONDS = 5", "BURST_SECONDS = 6", BUCKET),
    broken("the last of a burst goes, the next does not", LIMIT, "if left < -SLACK:", "if left < -1:", BUCKET),
    broken("Retry-After is long enough", LIMIT, "max(1, ceil(-left / self.rate))", "max(0, int(-left / self.rate))", AGAIN),
    broken("the answer names the remaining requests", LIMIT, "return Spent(True, int(left + SLACK),", "return Spent(True, int(left + 1),", "kit/test_rate_limit.py::test_the_remaining_requests_are_reported_and_count_down"),
]  # fmt: skip
