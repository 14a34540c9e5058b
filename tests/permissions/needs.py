"""The requirements of each route for its caller, stated a second time.

A changed row of `permissions.py` or a new route must be changed or added here too, deliberately.
"""

from dataclasses import replace

from atrium.permissions import ANY_SCOPE, Permission, Subject
from atrium.permissions import OrganizationRole as Organization
from atrium.permissions import SpaceRole as Space

SEE, POST, MANAGE = Space

NEEDS: dict[Permission, str] = {
    Permission(subject=Subject.ANYONE): """
        create_session create_session_by_link create_sign_in_link create_password_reset confirm_password_reset
        list_sign_in_methods start_oidc finish_oidc read_set_up create_set_up preview_invitation accept_invitation
        post_to_incoming_webhook list_event_types
    """,
    Permission(subject=Subject.ACTOR): "listen",
    Permission(subject=Subject.PERSON): """
        read_profile update_profile list_own_organizations list_own_keys create_own_key update_own_key rotate_own_key read_own_key_usage
        list_own_sessions put_password
        list_pending_memberships accept_pending_membership decline_pending_membership
    """,
    Permission(
        subject=Subject.PERSON, ends_access=True
    ): "revoke_own_key end_current_session end_own_sessions end_own_session",
    Permission(subject=Subject.DIRECTORY, organization=Organization.ADMIN): """
        read_configuration list_schemas read_schema list_resource_types read_resource_type list_directory
        search_directory run_bulk list_users create_user search_users read_user replace_user patch_user delete_user
        list_directory_groups create_group search_groups read_group replace_group patch_group delete_group
    """,
    Permission(subject=Subject.ORGANIZATION, organization=Organization.GUEST): """
        read_organization list_actors list_spaces search list_unread list_threads list_mentions
    """,
    Permission(subject=Subject.ORGANIZATION, organization=Organization.READER): """
        list_members list_invitations list_audit_log export_audit_log read_overview read_first_steps list_groups
        list_webhooks read_webhook list_webhook_logs read_webhook_health preview_replay match_webhook
    """,
    Permission(subject=Subject.ORGANIZATION, organization=Organization.ADMIN): """
        update_organization update_member remove_member revoke_invitation list_mails
        list_member_keys revoke_member_key list_integration_keys create_integration_key list_api_keys create_api_key read_api_key update_api_key revoke_api_key rotate_api_key read_api_key_usage
        read_key_policy put_key_policy preview_key_policy
        create_webhook update_webhook delete_webhook test_webhook replay_deliveries rotate_webhook_secret preview_subscriptions
        resend_delivery create_space
    """,
    Permission(subject=Subject.ORGANIZATION, organization=Organization.ADMIN, people_only=True): """
        create_invitation read_mail
    """,
    Permission(subject=Subject.ORGANIZATION, organization=Organization.SUPER_ADMIN, people_only=True): """
        list_imports create_import read_import append_to_import cancel_import start_import
    """,
    Permission(subject=Subject.SPACE, space=SEE): "read_space list_space_members list_rooms list_space_groups",
    Permission(subject=Subject.SPACE, space=MANAGE): """
        put_space_member remove_space_member put_space_group remove_space_group create_room
    """,
    Permission(subject=Subject.SPACE, space=SEE, organization=Organization.ADMIN): "update_space delete_space",
    Permission(subject=Subject.ROOM, space=SEE): """
        read_room page_of_room page_of_thread list_blocks list_recordings list_attachments
        put_read_marker put_thread_read_marker
    """,
    Permission(subject=Subject.ROOM, space=POST): """
        send_message type_in_room create_block restore_block create_recording create_attachment create_upload
    """,
    Permission(subject=Subject.ROOM, space=MANAGE): """
        update_room delete_room list_incoming_webhooks create_incoming_webhook revoke_incoming_webhook
    """,
    Permission(subject=Subject.MESSAGE, space=SEE): "read_message",
    Permission(subject=Subject.MESSAGE, space=POST): "put_reaction remove_reaction",
    Permission(subject=Subject.MESSAGE, space=SEE, sender=True): "update_message",
    Permission(subject=Subject.MESSAGE, space=SEE, sender=True, or_space=MANAGE): "delete_message",
    Permission(subject=Subject.BLOCK, space=SEE): "read_block",
    Permission(subject=Subject.BLOCK, space=POST): "update_block delete_block",
    Permission(subject=Subject.RECORDING, space=SEE): """
        read_recording read_recording_media read_transcript list_transcript_versions
    """,
    Permission(subject=Subject.RECORDING, space=POST): "put_transcript start_transcription",
    Permission(subject=Subject.RECORDING, space=SEE, sender=True, or_space=MANAGE): """
        update_recording delete_recording delete_transcript
    """,
    Permission(subject=Subject.ATTACHMENT, space=SEE): "read_attachment_content read_attachment_thumbnail",
    Permission(subject=Subject.UPLOAD, space=POST): "read_upload append_to_upload delete_upload",
}

# What a key with scopes needs for a route; ANY_SCOPE where every key suffices. A key with scopes cannot request others.
SCOPES: dict[str, str] = {
    ANY_SCOPE: """
        create_session create_session_by_link create_sign_in_link create_password_reset confirm_password_reset
        list_sign_in_methods start_oidc finish_oidc read_set_up create_set_up preview_invitation accept_invitation
        post_to_incoming_webhook list_event_types read_organization list_actors list_spaces read_space list_space_members list_rooms
        list_space_groups read_room create_upload read_upload append_to_upload delete_upload
    """,
    "messages:read": """
        listen list_unread list_threads list_mentions page_of_room page_of_thread list_blocks list_attachments
        read_message read_block read_attachment_content read_attachment_thumbnail
    """,
    "messages:write": """
        send_message type_in_room create_block restore_block create_attachment put_reaction remove_reaction
        update_message delete_message update_block delete_block put_read_marker put_thread_read_marker
    """,
    "rooms:manage": "create_space update_space delete_space create_room update_room delete_room",
    "members:manage": """
        list_members list_invitations list_groups update_member remove_member revoke_invitation
        put_space_member remove_space_member put_space_group remove_space_group
    """,
    "webhooks:read": "list_webhooks read_webhook list_webhook_logs read_webhook_health preview_replay match_webhook",
    "webhooks:manage": """
        create_webhook update_webhook delete_webhook test_webhook replay_deliveries rotate_webhook_secret preview_subscriptions
        resend_delivery
    """,
    "audit:read": "list_audit_log export_audit_log read_overview read_first_steps",
    "search": "search",
    "recordings:read": """
        list_recordings read_recording read_recording_media read_transcript list_transcript_versions
    """,
    "recordings:write": """
        create_recording update_recording delete_recording delete_transcript put_transcript start_transcription
    """,
    "directory": """
        read_configuration list_schemas read_schema list_resource_types read_resource_type list_directory
        search_directory run_bulk list_users create_user search_users read_user replace_user patch_user delete_user
        list_directory_groups create_group search_groups read_group replace_group patch_group delete_group
    """,
}
SCOPE_OF = {name: scope for scope, names in SCOPES.items() for name in names.split()}
NEED_OF = {name: replace(need, scope=SCOPE_OF.get(name)) for need, names in NEEDS.items() for name in names.split()}

# Any key may make these requests, but its scopes have to fit the kind of the upload, which in the tests is an attachment.
OF_UPLOADS = {"create_upload", "read_upload", "append_to_upload", "delete_upload"}

# Requirements of handlers in addition to the table (docs/contract.md#roles-and-keys).
PEOPLE_ONLY = {"list_unread", "list_threads", "list_mentions", "put_read_marker", "put_thread_read_marker"}
SUBSCRIBING = {"create_webhook", "preview_subscriptions"}
RESENDING = {"resend_delivery"}  # of what the caller may read
MATCHING = {"match_webhook"}  # which needs access to the message, too
