"""Keys: format, hash, expiry, rotation, revocation, who manages them, repeated creates, the rate limit."""

from tests.mutants.mutation import broken

NOTICED = "kit/test_tokens.py::test_any_changed_character_is_detected"
OWN, ORGANIZATION, MANAGES = "keys/test_own_keys.py", "keys/test_organization_keys.py", "keys/test_who_manages.py"
REVOKED = f"{OWN}::test_a_revoked_key_stops_and_is_no_longer_listed"
STOPPED = "faults/test_immediate_effect.py::test_the_keys_of_a_deactivated_account_stop_immediately"
ENDS = f"{OWN}::test_a_key_expires_at_its_time"
RENEWED = "keys/test_expiry.py::test_an_expired_key_is_renewed_by_rotating_it"
MOVED = "keys/test_expiry.py::test_the_expiry_of_a_valid_key_can_be_changed"
LEFT = "keys/test_expiry.py::test_a_rotation_keeps_or_changes_the_expiry"
NO_LONGER = f"{MANAGES}::test_a_personal_key_expires_no_later_than_the_key_that_created_it"
INTEGRATIONS_KEY = f"{MANAGES}::test_an_integrations_key_expires_no_later_than_the_key_that_created_it"
ABOVE = f"{MANAGES}::test_only_a_super_admin_manages_keys_of_integrations_that_are_admin_or_higher"
FURTHER = f"{MANAGES}::test_an_integration_cannot_manage_a_key_that_reaches_further_than_its_own"
HIGHER = f"{MANAGES}::test_an_integration_cannot_manage_a_key_with_a_higher_space_role_than_its_own"
OF_ANOTHER = f"{ORGANIZATION}::test_a_key_of_another_organization_is_not_found"
LIMITED, NETWORKS, SEVERAL = "keys/test_limits.py", "keys/test_networks.py", "keys/test_several_keys.py"
NARROWED = f"{LIMITED}::test_scopes_and_networks_are_narrowed_and_not_widened"
IN_TURN = "audit/test_at_once.py::test_a_change_and_an_action_at_the_same_time_have_the_entries_of_two_in_turn"
MATRIX = "permissions/test_matrix.py"
MATRIX_OF_SCOPES = (
    f"{MATRIX}::test_a_key_with_scopes_does_what_they_include_and_nothing_that_a_key_without_them_could_not"
)
AWAY = f"{MATRIX}::test_a_key_from_another_network_is_rejected_by_every_route"
BUCKET = "kit/test_rate_limit.py::test_a_burst_is_exactly_five_seconds_of_requests"
AGAIN = "kit/test_rate_limit.py::test_a_request_after_the_reported_wait_is_allowed"

TOKENS, QUERIES, EXPIRY, ACTIONS = "keys/tokens.py", "keys/queries.py", "keys/expiry.py", "keys/actions.py"
LIMITS = "keys/limits.py"
USAGE, USE_COUNTS, USES = "keys/test_usage.py", "keys/uses.py", "server/middleware.py"
POLICY, MODEL = "keys/test_key_policy.py", "keys/test_key_policy_model.py"
RULES = "keys/test_key_rules.py"
EACH_RULE = f"{RULES}::test_a_person_reads_the_rules_of_each_organization_once_and_no_rule_without_a_policy"
STOPS = f"{POLICY}::test_a_policy_stops_organization_keys_and_in_its_organization_alone_personal_keys"
OF_ACCOUNT = f"{POLICY}::test_a_key_that_some_policy_does_not_allow_changes_nothing_of_the_account_but_ends_access"
BARRED = f"{POLICY}::test_a_key_that_the_policy_does_not_allow_reaches_nothing_in_the_organization"
COUNTED = f"{USAGE}::test_requests_are_counted_by_day_and_route_with_those_that_were_rejected"
MANAGING, INTEGRATIONS = "integrations/managing.py", "integrations/queries.py"
KEY_ACTIONS = "integrations/actions.py"
BEARER, IDEMPOTENCY, LIMIT = (
    "migrations/functions/caller_of.sql",
    "kit/http/idempotency.py",
    "kit/http/rate_limit.py",
)

KEYS = [
    broken("a key's checksum is looked at", TOKENS, " and check == _checksum(body)", "", NOTICED),
    broken("a key's checksum is over all of it", TOKENS, 'crc32(body.encode("utf-8", "surrogatepass"))', 'crc32(body[5:].encode("utf-8", "surrogatepass"))', "kit/test_tokens.py", "keys/test_key_format.py"),
    broken("a key begins with a prefix of ours", TOKENS, " and key.startswith(PREFIXES)", "", "kit/test_tokens.py::test_a_key_with_another_prefix_is_not_well_formed"),
    broken("a key has 30 random characters", TOKENS, "RANDOM_LENGTH, CHECK_LENGTH = 30, 6", "RANDOM_LENGTH, CHECK_LENGTH = 29, 6", "kit/test_tokens.py::test_a_new_key_has_the_format_that_secret_scanners_know"),
    broken("a key's hash alone is kept", TOKENS, "return sha256(key.encode()).digest()", "return key.encode()[:32]", "keys/test_key_format.py::test_the_database_stores_the_hash_of_a_key_and_never_the_key"),
    broken("a revoked key is dead", BEARER, "key_hash = hash and revoked_at is null and (", "key_hash = hash and (", REVOKED, f"{ORGANIZATION}::test_a_revoked_key_stops_and_its_messages_stay"),
    broken("a key ends at the moment it expires", BEARER, "expires_at > now)", "expires_at >= now)", ENDS),
    broken("a key expires", BEARER, " and (expires_at is null or expires_at > now)", "", ENDS),
    broken("a key stops with its account", BEARER, "where m.actor_id = key.actor_id and m.deactivated_at is null)", "where m.actor_id = key.actor_id)", STOPPED),
    broken("a rotated key is dead", QUERIES, "update api_keys set key_hash = $2, last_four = $3, expires_at = $4", "update api_keys set last_four = right(encode($2, 'hex'), 4), expires_at = $4, name = coalesce(name, $3)", f"{OWN}::test_a_rotated_key_stops_immediately", part="REPLACE"),
    broken("sessions are no keys of one's own", QUERIES, " and not is_session", "", "sessions/test_sessions.py::test_sessions_are_listed_with_the_current_one_marked_and_are_not_keys", part="PERSONAL_KEYS"),
    broken("a revoked key is not listed", QUERIES, " and revoked_at is null", "", REVOKED, part="PERSONAL_KEYS"),
    broken("a revoked key is not found", QUERIES, " and revoked_at is null", "", REVOKED, part="PERSONAL_KEY"),
    broken("another's key is not one's own", QUERIES, "where actor_id = $1 and", "where $1::uuid is not null and", f"{OWN}::test_another_persons_key_is_not_listed", part="PERSONAL_KEY"),
    broken("a stopped key is not counted against its owner", QUERIES, " and revoked_at is null", "", "kit/test_rate_limit.py::test_use_of_a_revoked_key_is_not_counted_against_its_owner", part="ACTOR_OF_KEY"),
    broken("a session that ends makes a key that does not", QUERIES, "where api_key_id = $1 and not is_session", "where api_key_id = $1", f"{MANAGES}::test_a_session_can_create_a_key_that_does_not_expire"),
    broken("fifty keys a person", ACTIONS, ") >= MAX_KEYS:", ") > MAX_KEYS:", f"{MANAGES}::test_a_person_has_at_most_fifty_keys"),
    broken("no key is made that has expired", EXPIRY, "if at <= now:", "if at is now:", "keys/test_expiry.py", OWN),
    broken("a personal key lives no longer than its maker", LIMITS, "made.expires_at > own.expires_at:", "made.expires_at is own.scopes:", NO_LONGER),
    broken("a personal key ends with its maker's", LIMITS, "wanted.expires_at or own.expires_at", "wanted.expires_at", NO_LONGER),
    broken("a rotation gives no longer life", LIMITS, "if ends is not None and (limits.expires_at is None or limits.expires_at > ends):", "if ends is not None and limits.expires_at is None:", NO_LONGER, INTEGRATIONS_KEY),
    broken("a rotation gives no life without end", LIMITS, "if ends is not None and (limits.expires_at is None or limits.expires_at > ends):", "if ends is not None and limits.expires_at is not None and limits.expires_at > ends:", NO_LONGER, INTEGRATIONS_KEY),
    broken("an expired key is renewed with a new end only", EXPIRY, "    require_not_expired(current, now)\n    return None if current", "    return None if current", RENEWED),
    broken("an expired key does not come back by a change", EXPIRY, "    require_not_expired(current, now)\n    return expiry(", "    return expiry(", RENEWED, MOVED),
    broken("a rotation leaves the end", EXPIRY, "return None if current is None else parse_time(current)", "return None", LEFT),
    broken("a rotation moves the end", EXPIRY, "    if requested is not UNSET:\n        return expiry(requested, now)\n", "", LEFT, RENEWED),
    broken("an organization key has no account", "keys/caller.py", "if caller.kind is not ActorKind.PERSON:", "if caller.kind is None:", f"{OWN}::test_an_organization_key_has_no_account"),
    broken("a super_admin alone manages keys of admins", MANAGING, "if is_above and organization.role is not OrganizationRole.SUPER_ADMIN", "if is_above and organization.role is OrganizationRole.READER", ABOVE),
    broken("admin is above", MANAGING, "role.holds(OrganizationRole.ADMIN) for role", "role.holds(OrganizationRole.SUPER_ADMIN) for role", ABOVE),
    broken("both roles count, that it has and is to have", KEY_ACTIONS, "found.organization_role, *roles)", "*roles)", ABOVE, f"{ORGANIZATION}::test_an_admin_cannot_rotate_a_super_admins_key"),
    broken("the role that it is to have counts", KEY_ACTIONS, "found.organization_role, *roles)", "found.organization_role)", ABOVE),
    broken("an integration manages none that reaches further", MANAGING, "    if caller.kind is ActorKind.PERSON:\n        return  #", "    if caller.kind is not None:\n        return  #", FURTHER),
    broken("further is also a higher role in the same space", INTEGRATIONS, "held where held.role >= g.role", "held where held.role is not null", HIGHER, part="EXCEEDS_ACCESS"),
    broken("an integration revokes none that reaches further", KEY_ACTIONS, "    await require_covers_access(call, found.integration_id)\n", "", FURTHER),
    broken("an integration's key gives no longer life", MANAGING, "if call.caller.kind is ActorKind.INTEGRATION:", "if call.caller.kind is None:", INTEGRATIONS_KEY),
    broken("what an integration makes ends with it", MANAGING, "    if call.caller.kind is ActorKind.PERSON:\n        return requested_limits(", "    if call.caller.kind is not None:\n        return requested_limits(", INTEGRATIONS_KEY),
    broken("a space is named once", MANAGING, "for space in spaces}) < len(spaces)", "for space in spaces}) > len(spaces)", f"{ORGANIZATION}::test_a_space_named_twice_is_rejected"),
    broken("an integration grants at most what it holds", "spaces/actions.py", "if not SpaceRole(own_role).holds(role):", "if not own_role:", f"{ORGANIZATION}::test_an_integration_cannot_grant_more_than_it_has"),
    broken("who makes a key of an admin is a super_admin", MANAGING, "    require_may_assign_role(organization, role)\n", "", ABOVE),
    broken("a key of another organization is not found", INTEGRATIONS, "where i.organization_id = $1 and", "where $1::uuid is not null and", OF_ANOTHER, part="_KEY"),
    broken("a revoked organization key is not found", INTEGRATIONS, " and k.revoked_at is null", "", f"{ORGANIZATION}::test_a_revoked_key_stops_and_its_messages_stay", part="_KEY"),
    broken("scopes are looked at", BEARER, "needed = any(scopes)", "true", MATRIX_OF_SCOPES),
    broken("what no scope includes needs a key without scopes", BEARER, ") is not true\n                                then 'ins", ") is false\n                                then 'ins", MATRIX_OF_SCOPES),
    broken("networks are looked at", BEARER, "(address <<= any(allowed_networks::inet[])) is not true", "address is null", AWAY, f"{NETWORKS}::test_the_address_is_the_one_that_the_trusted_proxy_saw"),
    broken("an upload needs the scope of its kind", "uploads/reach.py", "    call.caller.require_scope(SCOPES[upload.kind])\n", "", "recordings/test_tus.py::test_each_request_of_an_upload_needs_the_scope_of_its_kind"),
    broken("a begun upload needs the scope of its kind", "tus/api.py", "    call.caller.require_scope(SCOPES[kind])\n", "", MATRIX_OF_SCOPES),
    broken("scopes are not widened", LIMITS, "if own is not None and (wanted is None or not {*wanted} <= {*own}):", "if own is not None and wanted is None:", NARROWED),
    broken("scopes are not taken away", LIMITS, "if own is not None and (wanted is None or not {*wanted} <= {*own}):", "if own is not None and wanted and not {*wanted} <= {*own}:", NARROWED),
    broken("networks are not widened", LIMITS, "if not covers(outer, inner):", "if covers(outer, inner) is None:", NARROWED),
    broken("a key makes none for other networks", LIMITS, "if not covers(own.allowed_networks, made.allowed_networks):", "if made.allowed_networks is own.scopes is own:", f"{LIMITED}::test_a_key_with_networks_creates_and_rotates_none_for_others"),
    broken("a key rotates none for other networks", LIMITS, "if not covers(own.allowed_networks, limits.allowed_networks):", "if limits.allowed_networks is own:", f"{LIMITED}::test_a_key_with_networks_creates_and_rotates_none_for_others"),
    broken("a key's key has its networks", LIMITS, "wanted.allowed_networks or own.allowed_networks", "wanted.allowed_networks", f"{LIMITED}::test_a_key_with_networks_creates_and_rotates_none_for_others", f"{LIMITED}::test_an_integrations_key_with_networks_creates_and_rotates_none_for_others"),
    broken("a key is changed or rotated, not both at the same time", ACTIONS, "    await call.lock(queries.LOCK, api_key_id)\n    found = await find_personal_key(call, owner_id, api_key_id)\n    if content", "    found = await find_personal_key(call, owner_id, api_key_id)\n    if content", IN_TURN),
    broken("an organization's key is changed or rotated, not both at the same time", KEY_ACTIONS, "    await call.lock(LOCK, api_key_id)\n    found = await find_api_key(call, organization, api_key_id)\n    role", "    found = await find_api_key(call, organization, api_key_id)\n    role", IN_TURN),
    broken("who makes a further key may manage the integration", KEY_ACTIONS, "    await require_may_manage(call, organization, owner, role)\n", "", f"{SEVERAL}::test_only_who_may_manage_the_integration_creates_its_keys"),
    broken("an incoming webhook has no further keys", INTEGRATIONS, "k.revoked_at is null\n              and not exists (select from incoming_webhooks w where w.incoming_webhook_id = k.api_key_id))", "k.revoked_at is null)", f"{SEVERAL}::test_there_are_keys_only_of_integrations_of_the_organization", part="ROLE"),
    broken("HEAD is counted as GET", USES, '(("GET", "HEAD") if route.method == "GET" else (route.method,))', "(route.method,)", COUNTED),
    broken("a request that a narrow key may not make is counted", "keys/caller.py", '    set_caller(row["api_key_id"], row["actor_id"])\n    if row', '    if row["exceeded"] is None:\n        set_caller(row["api_key_id"], row["actor_id"])\n    if row', COUNTED, f"{USAGE}::test_a_key_outside_its_networks_is_counted_with_its_address"),
    broken("scopes of the content are used", "keys/caller.py", "        note_scope(scope)\n", "", f"{USAGE}::test_scopes_that_the_content_of_requests_needed_are_not_unused"),
    broken("a stream is counted when it opens", "server/middleware.py", "            context.begin_response(status)\n            _count_use(", "            context.begin_response(status)\n            _ = lambda: _count_use(", f"{USAGE}::test_an_event_stream_is_counted_while_it_is_open"),
    broken("the limit's rejections are counted", "server/middleware.py", "            context.api_key_id = bucket.api_key_id\n", "", f"{USAGE}::test_requests_over_the_rate_limit_are_counted_with_their_route"),
    broken("sessions are not counted", "keys/usage_queries.py", "counted.api_key_id and not k.is_session", "counted.api_key_id", f"{USAGE}::test_sessions_are_not_counted_and_other_peoples_usage_is_not_found"),
    broken("processes do not wait for each other", "keys/usage_queries.py", "order by 1, 2, 3, 4, 5\n", "", f"{USAGE}::test_processes_add_up_and_counts_that_were_not_written_are_written_later"),
    broken("addresses wait for the next write", USE_COUNTS, "                    self._see(api_key_id, address)\n            raise", "                    pass\n            raise", f"{USAGE}::test_addresses_that_were_not_written_are_written_later_the_newest_last"),
    broken("addresses are forgotten in order", "keys/usage_queries.py", "    order by a.api_key_id, a.address\n", "", f"{USAGE}::test_older_addresses_are_locked_in_order_before_they_are_forgotten"),
    broken("counts wait for the next write", USE_COUNTS, "                later[:] = [", "                later = [", f"{USAGE}::test_processes_add_up_and_counts_that_were_not_written_are_written_later"),
    broken("the newest addresses stay", "keys/usage_queries.py", "order by last_seen_at desc, address) as nr", "order by last_seen_at, address) as nr", f"{USAGE}::test_the_newest_twenty_addresses_are_shown_newest_first"),
    broken("counts have a limit", USE_COUNTS, "if len(self._counts) >= MAX_WAITING:", "if len(self._counts) > MAX_WAITING:", f"{USAGE}::test_memory_is_bounded"),
    broken("a policy stops keys at its time", "migrations/functions/barring_organizations.sql", "p.enforce_at <= now or made", "p.enforce_at < now or made", MODEL),
    broken("new keys fit a policy", "migrations/functions/barring_organizations.sql", " or made >= p.set_at)", ")", MODEL),
    broken("keys that an earlier policy stops stay so", "migrations/functions/earlier_rules_stop.sql", "made >= since and", "made < since and", MODEL),
    broken("an earlier policy stops no key that was there", "migrations/functions/earlier_rules_stop.sql", "made >= since and ", "", MODEL),
    broken("earlier rules are no stricter than the new ones", "keys/policy.py", "since.setdefault(loosest(old, rules), set_at)", "since.setdefault(old, set_at)", MODEL),
    broken("rules that allow no key of the person are not read", QUERIES, "\n  and key_policy_reasons(null, p.personal_keys, false, 'person', m.role, null, null, null) = '{}'", "", f"{RULES}::test_rules_of_an_organization_that_allows_no_key_of_the_person_are_left_out", part="RULES_FOR_PERSON"),
    broken("rules of an organization that the person left are not read", QUERIES, " and m.deactivated_at is null", "", EACH_RULE, part="RULES_FOR_PERSON"),
    broken("an organization without a policy has no rule", QUERIES, "left join key_policies", "join key_policies", EACH_RULE, part="RULES_FOR_PERSON"),
    broken("the same policy changes nothing", "integrations/key_policy.py", "    if before != after:\n", "    if before is not after:\n", f"{POLICY}::test_a_key_makes_the_policy_stricter_and_only_a_session_makes_it_looser"),
    broken("what was in force stays so", "migrations/functions/barring_organizations.sql", "p.enforced_lifetime_days, p.enforced_personal_keys, p.enforced_networks, kind,", "p.enforced_lifetime_days, 'allowed', false, kind,", MODEL),
    broken("incoming webhooks have no policy", "migrations/functions/barring_organizations.sql", "\n          and not exists (select from incoming_webhooks w where w.incoming_webhook_id = key));", ");", STOPS),
    broken("sessions have no policy", BEARER, "case when not key.is_session and exists (", "case when exists (", STOPS, MODEL),
    broken("a page asks the policy", "messages/page_queries.py", "            when access.is_barred then 'key_policy'\n            when shard", "            when shard", f"{MODEL}::test_every_kind_of_request_asks_the_policy"),
    broken("a thread asks the policy", "messages/page_queries.py", "            when access.is_barred then 'key_policy'\n            when root", "            when root", f"{MODEL}::test_every_kind_of_request_asks_the_policy"),
    broken("a send asks the policy", "messages/queries.py", "                when access.organization_id = any(who.barred) then 'key_policy'\n", "", MODEL),
    broken("a room asks the policy", "rooms/reach.py", "    call.caller.require_not_barred(room.organization_id)\n", "", MODEL, BARRED),
    broken("an attachment asks the policy", "attachments/reach.py", '    call.caller.require_not_barred(row["organization_id"])\n', "", BARRED),
    broken("a key that is not allowed does not change the account", "people/reach.py", "        call.caller.require_not_barred_anywhere()\n", "        pass\n", OF_ACCOUNT),
    broken("a key that is not allowed ends access", "people/reach.py", " and not permission.ends_access", "", OF_ACCOUNT),
    broken("a key that is not allowed joins nothing", "sessions/invitation_api.py", "        call.caller.require_not_barred_anywhere()\n", "", OF_ACCOUNT),
    broken("no key sets a first password under a policy", "sessions/password_api.py", "        await require_session_under_policy(call)\n", "", f"{POLICY}::test_no_key_sets_a_first_password_under_a_policy"),
    broken("networks of a policy are not too wide", "migrations/functions/are_limit.sql", "family(network) when 4 then 8 else 16 end", "family(network) when 4 then 0 else 0 end", f"{POLICY}::test_networks_that_are_too_wide_are_none"),
    broken("new members are under the policy", "migrations/triggers/note_key_policy.sql", "        new.key_policy_at := (", "        perform (", f"{POLICY}::test_roles_and_new_members_count_as_they_are_now"),
    broken("a key's creation waits for a policy", ACTIONS, "    await call.db.execute(queries.LOCK_POLICIES, owner_id)\n    await require_below", "    await require_below", f"{POLICY}::test_keys_that_are_created_while_a_policy_is_set_fit_it_or_are_listed"),
    broken("policies are set one after the other", "integrations/key_policy.py", "    await call.lock(LOCK, organization.organization_id)\n", "", f"{POLICY}::test_two_policies_at_the_same_time_are_set_one_after_the_other", f"{POLICY}::test_keys_that_are_created_while_a_policy_is_set_fit_it_or_are_listed"),
    broken("streams follow a policy", "live/queries.py", "               and m.organization_id <> all(coalesce(who.barred, '{}'))\n", "", f"{POLICY}::test_event_streams_follow_a_policy_when_it_is_set_and_when_it_is_enforced"),
    broken("a key loosens no policy", "integrations/key_policy.py", "if loosens(current, policy, call.now) and not", "if loosens(current, current, call.now) and not", f"{POLICY}::test_a_key_makes_the_policy_stricter_and_only_a_session_makes_it_looser"),
    broken("an extension fits the policy", ACTIONS, "    if extends(found.expires_at, limits.expires_at):\n        await require_allowed(call.db, found.api_key_id)\n", "", f"{POLICY}::test_new_rotated_and_extended_keys_must_fit_and_others_go_on"),
    broken("another body under the same Idempotency-Key", IDEMPOTENCY, 'if stored is None or stored["body_hash"] != body_hash:', "if stored is None:", "keys/test_idempotency.py::test_another_body_under_the_same_key_is_rejected"),
    broken("a kept answer is sealed with its key", IDEMPOTENCY, r"idempotency\n{secret}\n{key.key}", r"idempotency\n{key.key}", "keys/test_idempotency.py::test_another_key_of_the_same_person_cannot_decrypt_a_stored_response"),
    broken("a secret is in one answer", IDEMPOTENCY, "if stored[\"status\"] == AlreadyDone.status:", "if stored[\"status\"] is None:", "keys/test_idempotency.py::test_a_secret_is_in_one_response_and_the_repetition_names_the_created_resource"),
    broken("an Idempotency-Key is known for a day", IDEMPOTENCY, "timedelta(hours=24)", "timedelta(hours=23)", "keys/test_idempotency.py::test_an_idempotency_key_is_remembered_for_a_day"),
    broken("a burst is five seconds' worth", LIMIT, "BURST_SECONDS = 5", "BURST_SECONDS = 6", BUCKET),
    broken("the last of a burst goes, the next does not", LIMIT, "if left < -SLACK:", "if left < -1:", BUCKET),
    broken("Retry-After is long enough", LIMIT, "max(1, ceil(-left / self.rate))", "max(0, int(-left / self.rate))", AGAIN),
    broken("the answer names the remaining requests", LIMIT, "return RateLimitState(True, int(left + SLACK),", "return RateLimitState(True, int(left + 1),", "kit/test_rate_limit.py::test_the_remaining_requests_are_reported_and_count_down"),
]  # fmt: skip
