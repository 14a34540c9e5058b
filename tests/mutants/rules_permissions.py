"""Permissions: roles, rows of the table, reach, memberships, accounts created by others, quotas, names."""

from tests.mutants.mutation import broken

TABLE = "permissions/test_matrix.py::test_every_route_is_in_the_table_and_requires_its_permission"
PERSONS_ROLE = "spaces/test_spaces.py::test_a_person_has_the_highest_of_their_roles_in_a_space"
GRANTED = "spaces/test_spaces.py::test_an_integration_has_granted_roles_and_inherits_none"
MEMBERS = "organizations/test_members.py"
ADOPTION = "sessions/test_adoption.py"
PREPARED = f"{ADOPTION}::test_a_prepared_account_gains_nothing_until_its_mailbox_is_proven"
QUOTA = "recordings/test_quota.py"
COUNTED = f"{QUOTA}::test_recordings_attachments_and_running_uploads_count_and_deletions_free_space"
NAMES = "contract/test_hostile_texts.py::test_every_name_field_follows_the_rules_of_names"
READABLE = "contract/test_hostile_texts.py::test_content_with_foreign_names_gets_readable_ones"
BOUNDS = "contract/test_bad_input.py::test_a_value_out_of_bounds_is_rejected_and_named"
UNREACHABLE = "contract/test_unreachable_rooms.py"

ROLE_IN, ROWS, TEXTS = "migrations/functions/role_in.sql", "permissions.py", "kit/text/types.py"
JOINING, ADOPTING, MEMBERSHIP = "organizations/queries.py", "organizations/adoption.py", "organizations/membership.py"

PERMISSIONS = [
    broken("an integration inherits nothing", ROLE_IN, "when actor_is = 'integration' then g.role", "when actor_is = 'integration' and m.role < 'admin' then g.role", GRANTED),
    broken("admins are admin everywhere", ROLE_IN, "when m.role >= 'admin' then 'admin'", "when m.role > 'admin' then 'admin'", PERSONS_ROLE),
    broken("a reader is no admin", ROLE_IN, "when m.role >= 'admin' then 'admin'", "when m.role >= 'reader' then 'admin'", PERSONS_ROLE),
    broken("guests are in no open space", ROLE_IN, "s.visibility = 'open' and m.role >= 'member'", "s.visibility = 'open' and m.role >= 'guest'", PERSONS_ROLE),
    broken("a private space is for those granted", ROLE_IN, "when s.visibility = 'open' and m.role >= 'member'", "when m.role >= 'member'", PERSONS_ROLE, "spaces/test_spaces.py::test_closing_a_space_excludes_people_without_a_grant"),
    broken("a group gives its role", ROLE_IN, "else greatest(g.role, by_group.role) end", "else g.role end", "scim/test_groups.py::test_a_group_grants_and_withdraws_a_role_immediately"),
    broken("the rooms of a deleted space are gone", ROLE_IN, "s.space_id = space and s.deleted_at is null and", "s.space_id = space and", "spaces/test_spaces.py::test_a_deleted_space_is_not_found_and_neither_are_its_rooms"),
    broken("who was deactivated holds no role", ROLE_IN, " and m.deactivated_at is null) found", ") found", f"{MEMBERS}::test_a_person_with_another_organization_keeps_their_account_there"),
    broken("a role holds itself", ROWS, "roles.index(self) >= roles.index(needed)", "roles.index(self) > roles.index(needed)", f"{MEMBERS}::test_readers_see_members_and_admins_change_them"),
    broken("admins manage keys", ROWS, "MANAGE_KEYS = Permission(subject=Subject.ORGANIZATION, organization=_ADMIN)", "MANAGE_KEYS = Permission(subject=Subject.ORGANIZATION, organization=_READER)", TABLE, "keys/test_organization_keys.py::test_only_admins_see_keys"),
    broken("readers see webhooks, guests do not", ROWS, "READ_WEBHOOKS = Permission(subject=Subject.ORGANIZATION, organization=_READER", "READ_WEBHOOKS = Permission(subject=Subject.ORGANIZATION, organization=_GUEST", TABLE),
    broken("admins manage webhooks", ROWS, "MANAGE_WEBHOOKS = Permission(subject=Subject.ORGANIZATION, organization=_ADMIN", "MANAGE_WEBHOOKS = Permission(subject=Subject.ORGANIZATION, organization=_READER", TABLE),
    broken("an invitation ends with its inviter's role", "organizations/open_invitations.py", " and {IS_BACKED}", "", "organizations/test_invitations.py::test_an_invitation_ends_when_its_inviter_may_no_longer_give_its_role"),
    broken("the inviter's token opens no account", "organizations/invitations.py", 'row["is_proof"] and not state["works"]', 'not state["works"]', "sessions/test_returning.py::test_a_removed_person_returns_by_the_invitation_in_their_mail"),
    broken("who works elsewhere returns with their own key", "organizations/invitations.py", 'row["is_proof"] and not state["works"]', 'row["is_proof"]', "sessions/test_returning.py::test_who_works_elsewhere_returns_with_their_own_session"),
    broken("who was dismissed backs no invitation", "organizations/open_invitations.py", "      and inviter.deactivated_at is null\n", "", "organizations/test_invitations.py::test_an_invitation_ends_when_its_inviter_may_no_longer_give_its_role"),
    broken("a change waits for another of the same", "server/pipeline.py", "if route.is_exclusive:", "if route.is_exclusive is None:", "audit/test_at_once.py"),
    broken("people invite", ROWS, "INVITE = Permission(subject=Subject.ORGANIZATION, organization=_ADMIN, people_only=True)", "INVITE = Permission(subject=Subject.ORGANIZATION, organization=_ADMIN)", TABLE),
    broken("people read mails", ROWS, "READ_MAIL = Permission(subject=Subject.ORGANIZATION, organization=_ADMIN, people_only=True)", "READ_MAIL = Permission(subject=Subject.ORGANIZATION, organization=_ADMIN)", TABLE),
    broken("readers read the trail, members do not", ROWS, "READ_AUDIT_LOG = Permission(subject=Subject.ORGANIZATION, organization=_READER", "READ_AUDIT_LOG = Permission(subject=Subject.ORGANIZATION, organization=_GUEST", TABLE),
    broken("an admin of the organization changes a space", ROWS, "CHANGE_SPACE = Permission(subject=Subject.SPACE, space=_SEE, organization=_ADMIN", "CHANGE_SPACE = Permission(subject=Subject.SPACE, space=_SEE", TABLE),
    broken("a space's admin manages its rooms", ROWS, "MANAGE_ROOM = Permission(subject=Subject.ROOM, space=_MANAGE", "MANAGE_ROOM = Permission(subject=Subject.ROOM, space=_POST", TABLE),
    broken("a message is edited by its sender", ROWS, "EDIT_MESSAGE = Permission(subject=Subject.MESSAGE, space=_SEE, sender=True", "EDIT_MESSAGE = Permission(subject=Subject.MESSAGE, space=_SEE", TABLE),
    broken("a message is deleted by admins of the space", ROWS, "DELETE_MESSAGE = Permission(\n    subject=Subject.MESSAGE, space=_SEE, sender=True, or_space=_MANAGE", "DELETE_MESSAGE = Permission(\n    subject=Subject.MESSAGE, space=_SEE, sender=True, or_space=_POST", TABLE),
    broken("readers do not react", ROWS, "REACT = Permission(subject=Subject.MESSAGE, space=_POST", "REACT = Permission(subject=Subject.MESSAGE, space=_SEE", TABLE),
    broken("a directory is kept by an admin's key", ROWS, "PROVISION = Permission(subject=Subject.DIRECTORY, organization=_ADMIN", "PROVISION = Permission(subject=Subject.DIRECTORY, organization=_READER", TABLE),
    broken("what is for people is refused to integrations", "organizations/reach.py", "if permission.people_only:", "if permission.people_only is None:", "organizations/test_invitations.py::test_integrations_cannot_invite"),
    broken("an organization asks for its role", "organizations/reach.py", "not role.holds(permission.organization)", "not role", f"{MEMBERS}::test_readers_see_members_and_admins_change_them"),
    broken("who was deactivated reaches no organization", JOINING, " and m.deactivated_at is null", "", f"{MEMBERS}::test_a_person_with_another_organization_keeps_their_account_there", part="REACH"),
    broken("another organization is none", JOINING, "o.organization_id = $1 and m.actor_id = $2 and", "o.organization_id = $1 and $2::uuid is not null and", "organizations/test_organization.py::test_another_organization_is_not_found", part="REACH"),
    broken("a space asks for its role", "spaces/reach.py", "not role.holds(permission.space)", "not role", "spaces/test_space_members.py", "webhooks/test_management.py::test_a_subscription_requires_space_admin_of_its_room_or_space"),
    broken("a space asks for a role in its organization too", "spaces/reach.py", '    require_role(OrganizationRole(row["organization_role"]), permission)\n', "", "spaces/test_spaces.py", "permissions/test_matrix.py::test_every_route_answers_every_kind_of_caller_as_documented"),
    broken("a space out of reach is a missing one", "spaces/reach.py", "        raise SpaceNotFound\n", "        raise Forbidden\n", f"{UNREACHABLE}::test_an_unreachable_space_is_answered_like_a_missing_one_on_every_route"),
    broken("a room out of reach is missing on every route", "rooms/reach.py", "        raise RoomNotFound\n", "        raise NotFound\n", f"{UNREACHABLE}::test_an_unreachable_room_is_answered_like_a_missing_one_on_every_route"),
    broken("a room asks for a role in its space", "rooms/reach.py", "    require_space_role(room.role, permission)\n", "", "rooms/test_rooms.py", "webhooks/test_management.py::test_a_subscription_requires_space_admin_of_its_room_or_space"),
    broken("a deleted room is found no more", "rooms/queries.py", " and r.deleted_at is null", "", "rooms/test_rooms.py::test_a_deleted_room_is_not_found_on_any_route", part="REACH"),
    broken("a super_admin alone names admins", MEMBERSHIP, "any(role.holds(OrganizationRole.ADMIN)", "any(role.holds(OrganizationRole.SUPER_ADMIN)", f"{MEMBERS}::test_only_a_super_admin_appoints_admins"),
    broken("the last super_admin stays", MEMBERSHIP, "others == 0", "others < 0", f"{MEMBERS}::test_the_last_super_admin_cannot_be_removed"),
    broken("the last super_admin stays active", MEMBERSHIP, "not (active and role is OrganizationRole.SUPER_ADMIN)", "not role is OrganizationRole.SUPER_ADMIN", f"{MEMBERS}::test_the_last_super_admin_cannot_be_removed"),
    broken("an account that belongs elsewhere waits for its owner", ADOPTING, 'if found["is_elsewhere"]:', "if False:", PREPARED),
    broken("an account of no other organization joins without its keys", ADOPTING, "    await hand_over(db, person_id, now)\n", "", f"{ADOPTION}::test_an_account_of_no_other_organization_joins_without_its_former_keys"),
    broken("an account that is deactivated elsewhere waits", ADOPTING, 'if found["is_elsewhere"]:', 'if found["works"]:', f"{ADOPTION}::test_an_account_that_is_deactivated_elsewhere_waits_for_a_new_proof_and_loses_nothing"),
    broken("mail that an admin has read proves nothing", "organizations/mail.py", "    await call.db.execute(queries.END_PROOF, mail.to)\n", "", "sessions/test_proofs.py"),
    broken("an invitation proves no address that came later", "scim/queries.py", "update invitations i set mail_token_hash = null from new", "update invitations i set mail_token_hash = mail_token_hash from new", "sessions/test_proofs.py::test_an_invitation_opens_no_account_that_got_its_address_later", part="SET_EMAIL"),
    broken("a sign-in waits for an adoption", "sessions/identity_accounts.py", "        await call.db.execute(LOCK, known)\n", "", "sessions/test_proofs.py::test_a_sign_in_through_the_provider_during_an_adoption_waits_for_it"),
    broken("a proven account keeps its keys", "organizations/pending.py", 'if proof["is_proven"]:', "if False:", f"{ADOPTION}::test_a_proven_account_keeps_its_keys_when_its_owner_accepts"),
    broken("adoption ends identities", ADOPTING, "    if with_identities:\n", "    if False:\n", "sessions/test_changed_addresses.py::test_an_identity_of_the_former_address_signs_nobody_in_after_the_new_one_is_proven"),
    broken("proof of the mailbox ends former credentials", ADOPTING, "    await end_credentials(db, person_id, now, except_key=except_key)\n", "", PREPARED, f"{ADOPTION}::test_a_verified_sign_in_removes_what_was_prepared"),
    broken("who accepts is active", "organizations/pending_queries.py", "set deactivated_at = null, active_when_proven = null", "set active_when_proven = null", PREPARED, part="ACCEPT_PENDING"),
    broken("what the directory said meanwhile holds", "organizations/pending_queries.py", "m.active_when_proven and p.person_id", "m.active_when_proven is not null and p.person_id", f"{ADOPTION}::test_changes_by_the_directory_give_no_access_before_and_apply_after_adoption", part="_ACCEPTABLE"),
    broken("only a first proof changes anything", "people/queries.py", " and mailbox_proven_at is null returning", " returning", f"{ADOPTION}::test_a_verified_sign_in_removes_nothing_from_a_proven_account", part="MARK_PROVEN"),
    broken("adopted, an account's keys end", "people/queries.py", "set revoked_at = $2\nwhere actor_id = $1", "set revoked_at = $2\nwhere actor_id = $1 and is_session", PREPARED, f"{ADOPTION}::test_a_verified_sign_in_removes_what_was_prepared", part="END_KEYS"),
    broken("a full quota takes no byte", "uploads/quota.py", "if size > current.free:", "if size > current.free + 1:", QUOTA),
    broken("a quota is used to its last byte", "uploads/quota.py", "if size > current.free:", "if size >= current.free:", QUOTA),
    broken("what is deleted makes room", "uploads/queries.py", "join own using (room_id) where deleted_at is null)", "join own using (room_id))", COUNTED, part="USED"),
    broken("attachments count", "uploads/queries.py", "select sum(size) from attachments join own", "select sum(0) from attachments join own", COUNTED, part="USED"),
    broken("what was announced counts", "uploads/queries.py", "sum(coalesce(size, received))", "sum(received)", COUNTED, f"{QUOTA}::test_concurrent_uploads_cannot_exceed_the_quota", part="USED"),
    broken("uploads of an organization ask one after the other", "uploads/quota.py", "    await db.execute(queries.LOCK_QUOTA, quota.organization_id)\n", "", f"{QUOTA}::test_concurrent_uploads_cannot_exceed_the_quota"),
    broken("a name has 200 characters", TEXTS, "min_length=1, max_length=200,", "min_length=1, max_length=201,", "contract/test_bad_input.py::test_a_name_must_be_visible_and_bounded"),
    broken("a description has 2,000 characters", TEXTS, "max_length=2000, pattern=NO_NUL", "max_length=2001, pattern=NO_NUL", BOUNDS),
    broken("a name turns no direction", TEXTS, r"\\u2028-\\u202e\\u2066-\\u2069", r"\\u2028-\\u2029\\u2066-\\u2069", READABLE),
    broken("a name has something visible in it", TEXTS, r"\\u180f\\u200b-\\u200f", r"\\u180f\\u200c-\\u200f", READABLE),
    broken("a name has no escapes in it", TEXTS, r'FORBIDDEN_CHARACTERS = "\\u0000-\\u001f', r'FORBIDDEN_CHARACTERS = "\\u0000-\\u001a', NAMES, "contract/test_hostile_texts.py"),
]  # fmt: skip
