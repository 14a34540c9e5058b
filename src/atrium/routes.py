"""Every path with its handler and the permission that it requires."""

from atrium import permissions as may
from atrium.attachments import api as attachments
from atrium.blocks import api as blocks
from atrium.bootstrap import api as bootstrap
from atrium.event_types import api as event_types
from atrium.imports import api as imports
from atrium.incoming import api as incoming
from atrium.integrations import api as integrations
from atrium.integrations import key_policy_api as key_policies
from atrium.keys import api as keys
from atrium.kit.http.route import Route
from atrium.live import api as live
from atrium.messages import api as messages
from atrium.organizations import actor_api, audit_log_api, mail_api, member_keys_api
from atrium.organizations import api as organizations
from atrium.overview import api as overview
from atrium.people import api as people
from atrium.recordings import api as recordings
from atrium.rooms import api as rooms
from atrium.scim import api as scim
from atrium.scim import discovery
from atrium.scim import space_group_api as space_groups
from atrium.search import api as search
from atrium.sessions import api as sessions
from atrium.sessions import invitation_api, link_api, oidc_api, password_api, pending_api
from atrium.spaces import api as spaces
from atrium.transcripts import api as transcripts
from atrium.tus import api as tus
from atrium.tus.headers import TUS_RESPONSE_HEADERS
from atrium.unread import api as unread
from atrium.webhooks import api as webhooks
from atrium.webhooks import workbench_api as workbench

GET, POST, PUT, PATCH, DELETE = "GET", "POST", "PUT", "PATCH", "DELETE"
ORGANIZATION = "/v1/organizations/{organization_id}"
SPACE = "/v1/spaces/{space_id}"
ROOM = "/v2/rooms/{room_id}"
MESSAGE = ROOM + "/messages/{message_id}"
BLOCK = "/v2/blocks/{block_id}"
RECORDING = "/v2/recordings/{recording_id}"
TRANSCRIPT = RECORDING + "/transcript"
ATTACHMENT = "/v2/attachments/{attachment_id}"
INTEGRATION_KEYS = ORGANIZATION + "/integrations/{integration_id}/api-keys"
UPLOAD = ROOM + "/uploads/{upload_id}"
IMPORT = ORGANIZATION + "/imports/{import_id}"
WEBHOOK = ORGANIZATION + "/webhooks/{webhook_id}"
INVITATION = ORGANIZATION + "/invitations/{invitation_id}"
API_KEY = ORGANIZATION + "/api-keys/{api_key_id}"
OWN_KEY = "/v1/me/integrations/{api_key_id}"
PENDING = "/v1/me/pending-memberships/{organization_id}"
SCIM = "/scim/v2"

ROUTES = (
    # the caller
    Route(GET, "/v1/me/profile", people.read_profile, may.OWN_ACCOUNT),
    Route(GET, "/v1/me/organizations", people.list_own_organizations, may.OWN_ACCOUNT),
    Route(GET, "/v1/me/integrations", keys.list_own_keys, may.OWN_ACCOUNT),
    Route(POST, "/v1/me/integrations", keys.create_own_key, may.OWN_ACCOUNT, 201),
    Route(PATCH, OWN_KEY, keys.update_own_key, may.OWN_ACCOUNT),
    Route(DELETE, OWN_KEY, keys.revoke_own_key, may.END_OWN_ACCESS, 204),
    Route(POST, OWN_KEY + "/rotate", keys.rotate_own_key, may.OWN_ACCOUNT),
    Route(GET, OWN_KEY + "/usage", keys.read_own_key_usage, may.OWN_ACCOUNT),
    Route(GET, "/v1/me/pending-memberships", pending_api.list_pending_memberships, may.OWN_ACCOUNT),
    Route(POST, PENDING + "/accept", pending_api.accept_pending_membership, may.OWN_ACCOUNT),
    Route(DELETE, PENDING, pending_api.decline_pending_membership, may.OWN_ACCOUNT, 204),
    # signing in
    Route(POST, "/v1/sessions", sessions.create_session, may.ANYONE, 201),
    Route(POST, "/v1/sessions/link", sessions.create_session_by_link, may.ANYONE, 201),
    Route(DELETE, "/v1/sessions/current", sessions.end_current_session, may.END_OWN_ACCESS, 204),
    Route(GET, "/v1/me/sessions", sessions.list_own_sessions, may.OWN_ACCOUNT),
    Route(DELETE, "/v1/me/sessions", sessions.end_own_sessions, may.END_OWN_ACCESS, 204),
    Route(DELETE, "/v1/me/sessions/{session_id}", sessions.end_own_session, may.END_OWN_ACCESS, 204),
    Route(PATCH, "/v1/me/profile", people.update_profile, may.OWN_ACCOUNT),
    Route(PUT, "/v1/me/password", password_api.put_password, may.OWN_ACCOUNT),
    Route(POST, "/v1/sign-in-links", link_api.create_sign_in_link, may.ANYONE, 202),
    Route(POST, "/v1/password-resets", link_api.create_password_reset, may.ANYONE, 202),
    Route(POST, "/v1/password-resets/confirm", password_api.confirm_password_reset, may.ANYONE),
    Route(GET, "/v1/sign-in/methods", oidc_api.list_sign_in_methods, may.ANYONE),
    Route(GET, "/v1/sign-in/oidc/start", oidc_api.start_oidc, may.ANYONE, 302),
    Route(GET, "/v1/sign-in/oidc/callback", oidc_api.finish_oidc, may.ANYONE, 302),
    # an empty server
    Route(GET, "/v1/set-up", bootstrap.read_set_up, may.ANYONE),
    Route(POST, "/v1/set-up", bootstrap.create_set_up, may.ANYONE, 201),
    # organizations and their people
    Route(GET, ORGANIZATION, organizations.read_organization, may.READ_ORGANIZATION),
    Route(PATCH, ORGANIZATION, organizations.update_organization, may.CHANGE_ORGANIZATION),
    Route(GET, ORGANIZATION + "/actors", actor_api.list_actors, may.READ_ORGANIZATION),
    Route(GET, ORGANIZATION + "/members", organizations.list_members, may.LIST_MEMBERS),
    Route(PATCH, ORGANIZATION + "/members/{person_id}", organizations.update_member, may.MANAGE_MEMBERS),
    Route(DELETE, ORGANIZATION + "/members/{person_id}", organizations.remove_member, may.MANAGE_MEMBERS, 204),
    Route(POST, ORGANIZATION + "/invitations", organizations.create_invitation, may.INVITE, 201),
    Route(GET, ORGANIZATION + "/invitations", organizations.list_invitations, may.LIST_MEMBERS),
    Route(DELETE, INVITATION, organizations.revoke_invitation, may.MANAGE_MEMBERS, 204),
    Route(POST, "/v1/invitations/preview", invitation_api.preview_invitation, may.ANYONE),
    Route(POST, "/v1/invitations/accept", invitation_api.accept_invitation, may.ANYONE, 201),
    Route(GET, ORGANIZATION + "/audit-log", audit_log_api.list_audit_log, may.READ_AUDIT_LOG),
    Route(GET, ORGANIZATION + "/audit-log/export", audit_log_api.export_audit_log, may.READ_AUDIT_LOG),
    Route(GET, ORGANIZATION + "/overview", overview.read_overview, may.READ_OVERVIEW),
    Route(GET, ORGANIZATION + "/first-steps", overview.read_first_steps, may.READ_OVERVIEW),
    Route(GET, ORGANIZATION + "/mails", mail_api.list_mails, may.LIST_MAILS),
    Route(GET, ORGANIZATION + "/mails/{mail_id}", mail_api.read_mail, may.READ_MAIL),
    # imports
    Route(GET, ORGANIZATION + "/imports", imports.list_imports, may.IMPORT),
    Route(POST, ORGANIZATION + "/imports", imports.create_import, may.IMPORT, 201, TUS_RESPONSE_HEADERS),
    Route(GET, IMPORT, imports.read_import, may.IMPORT, 200, TUS_RESPONSE_HEADERS),
    Route(PATCH, IMPORT, imports.append_to_import, may.IMPORT, 204, TUS_RESPONSE_HEADERS),
    Route(DELETE, IMPORT, imports.cancel_import, may.IMPORT, 204, TUS_RESPONSE_HEADERS),
    Route(POST, IMPORT + "/start", imports.start_import, may.IMPORT, 202),
    # integrations and their keys
    Route(GET, ORGANIZATION + "/personal-keys", member_keys_api.list_member_keys, may.MANAGE_KEYS),
    Route(
        DELETE, ORGANIZATION + "/personal-keys/{api_key_id}", member_keys_api.revoke_member_key, may.MANAGE_KEYS, 204
    ),
    Route(GET, ORGANIZATION + "/api-keys", integrations.list_api_keys, may.MANAGE_KEYS),
    Route(POST, ORGANIZATION + "/api-keys", integrations.create_api_key, may.MANAGE_KEYS, 201),
    Route(GET, INTEGRATION_KEYS, integrations.list_integration_keys, may.MANAGE_KEYS),
    Route(POST, INTEGRATION_KEYS, integrations.create_integration_key, may.MANAGE_KEYS, 201),
    Route(GET, API_KEY, integrations.read_api_key, may.MANAGE_KEYS),
    Route(PATCH, API_KEY, integrations.update_api_key, may.MANAGE_KEYS),
    Route(DELETE, API_KEY, integrations.revoke_api_key, may.MANAGE_KEYS, 204),
    Route(POST, API_KEY + "/rotate", integrations.rotate_api_key, may.MANAGE_KEYS),
    Route(GET, API_KEY + "/usage", integrations.read_api_key_usage, may.MANAGE_KEYS),
    Route(GET, ORGANIZATION + "/key-policy", key_policies.read_key_policy, may.MANAGE_KEYS),
    Route(PUT, ORGANIZATION + "/key-policy", key_policies.put_key_policy, may.MANAGE_KEYS),
    Route(POST, ORGANIZATION + "/key-policy-preview", key_policies.preview_key_policy, may.MANAGE_KEYS),
    # webhooks
    Route(GET, "/v1/event-types", event_types.list_event_types, may.ANYONE),
    Route(GET, ORGANIZATION + "/webhooks", webhooks.list_webhooks, may.READ_WEBHOOKS),
    Route(POST, ORGANIZATION + "/webhooks", webhooks.create_webhook, may.MANAGE_WEBHOOKS, 201),
    Route(GET, WEBHOOK, webhooks.read_webhook, may.READ_WEBHOOKS),
    Route(PATCH, WEBHOOK, webhooks.update_webhook, may.MANAGE_WEBHOOKS),
    Route(DELETE, WEBHOOK, webhooks.delete_webhook, may.MANAGE_WEBHOOKS, 204),
    Route(GET, WEBHOOK + "/logs", webhooks.list_webhook_logs, may.READ_WEBHOOKS),
    Route(GET, WEBHOOK + "/health", workbench.read_webhook_health, may.READ_WEBHOOKS),
    Route(GET, WEBHOOK + "/match", webhooks.match_webhook, may.READ_WEBHOOKS),
    Route(POST, ORGANIZATION + "/webhook-preview", webhooks.preview_subscriptions, may.MANAGE_WEBHOOKS),
    Route(POST, WEBHOOK + "/test", webhooks.test_webhook, may.MANAGE_WEBHOOKS),
    Route(POST, WEBHOOK + "/replay", webhooks.replay_deliveries, may.MANAGE_WEBHOOKS, 202),
    Route(GET, WEBHOOK + "/replay", workbench.preview_replay, may.READ_WEBHOOKS),
    Route(POST, WEBHOOK + "/rotate-secret", webhooks.rotate_webhook_secret, may.MANAGE_WEBHOOKS),
    Route(POST, WEBHOOK + "/deliveries/{delivery_id}/resend", webhooks.resend_delivery, may.MANAGE_WEBHOOKS, 202),
    # spaces and their members
    Route(GET, ORGANIZATION + "/spaces", spaces.list_spaces, may.LIST_SPACES),
    Route(POST, ORGANIZATION + "/spaces", spaces.create_space, may.CREATE_SPACE, 201),
    Route(GET, SPACE, spaces.read_space, may.READ_SPACE),
    Route(PATCH, SPACE, spaces.update_space, may.CHANGE_SPACE),
    Route(DELETE, SPACE, spaces.delete_space, may.CHANGE_SPACE, 204),
    Route(GET, SPACE + "/members", spaces.list_space_members, may.READ_SPACE),
    Route(PUT, SPACE + "/members/{actor_id}", spaces.put_space_member, may.MANAGE_SPACE_ACCESS),
    Route(DELETE, SPACE + "/members/{actor_id}", spaces.remove_space_member, may.MANAGE_SPACE_ACCESS, 204),
    # rooms
    Route(GET, "/v2/spaces/{space_id}/rooms", rooms.list_rooms, may.READ_SPACE),
    Route(POST, "/v2/spaces/{space_id}/rooms", rooms.create_room, may.CREATE_ROOM, 201),
    Route(GET, ROOM, rooms.read_room, may.READ_ROOM),
    Route(PATCH, ROOM, rooms.update_room, may.MANAGE_ROOM),
    Route(DELETE, ROOM, rooms.delete_room, may.MANAGE_ROOM, 204),
    # incoming webhooks
    Route(GET, ROOM + "/incoming-webhooks", incoming.list_incoming_webhooks, may.MANAGE_INCOMING),
    Route(POST, ROOM + "/incoming-webhooks", incoming.create_incoming_webhook, may.MANAGE_INCOMING, 201),
    Route(
        DELETE,
        ROOM + "/incoming-webhooks/{incoming_webhook_id}",
        incoming.revoke_incoming_webhook,
        may.MANAGE_INCOMING,
        204,
    ),
    Route(POST, incoming.PATH + "{token}", incoming.post_to_incoming_webhook, may.ANYONE),
    # messages and threads
    Route(GET, ROOM + "/messages", messages.page_of_room, may.READ_MESSAGES),
    Route(POST, ROOM + "/messages", messages.send_message, may.SEND, 201),
    Route(GET, ROOM + "/threads/{parent_id}/messages", messages.page_of_thread, may.READ_MESSAGES),
    Route(GET, MESSAGE, messages.read_message, may.READ_MESSAGE),
    Route(PATCH, MESSAGE, messages.update_message, may.EDIT_MESSAGE),
    Route(DELETE, MESSAGE, messages.delete_message, may.DELETE_MESSAGE, 204),
    Route(PUT, MESSAGE + "/reactions/{emoji}", messages.put_reaction, may.REACT),
    Route(DELETE, MESSAGE + "/reactions/{emoji}", messages.remove_reaction, may.REACT, 204),
    # live events
    Route(GET, "/v2/events", live.listen, may.LISTEN),
    Route(POST, ROOM + "/typing", live.type_in_room, may.SEND, 204),
    # search and unread state
    Route(GET, "/v2/organizations/{organization_id}/search", search.search, may.SEARCH),
    Route(GET, "/v2/organizations/{organization_id}/unread", unread.list_unread, may.LIST_UNREAD),
    Route(GET, "/v2/organizations/{organization_id}/threads", unread.list_threads, may.LIST_UNREAD),
    Route(GET, "/v2/organizations/{organization_id}/mentions", unread.list_mentions, may.LIST_UNREAD),
    Route(PUT, ROOM + "/read-marker", unread.put_read_marker, may.MARK_READ),
    Route(PUT, ROOM + "/threads/{parent_id}/read-marker", unread.put_thread_read_marker, may.MARK_READ),
    # blocks
    Route(GET, ROOM + "/blocks", blocks.list_blocks, may.READ_MESSAGES),
    Route(POST, ROOM + "/blocks", blocks.create_block, may.WRITE_BLOCKS, 201),
    Route(GET, BLOCK, blocks.read_block, may.READ_BLOCK),
    Route(PATCH, BLOCK, blocks.update_block, may.WRITE_BLOCK),
    Route(DELETE, BLOCK, blocks.delete_block, may.WRITE_BLOCK, 204),
    Route(POST, ROOM + "/deleted-blocks/{deleted_block_id}", blocks.restore_block, may.WRITE_BLOCKS, 201),
    # groups of the directory
    Route(GET, ORGANIZATION + "/groups", space_groups.list_groups, may.LIST_GROUPS),
    Route(GET, SPACE + "/groups", space_groups.list_space_groups, may.READ_SPACE),
    Route(PUT, SPACE + "/groups/{group_id}", space_groups.put_space_group, may.MANAGE_SPACE_ACCESS),
    Route(DELETE, SPACE + "/groups/{group_id}", space_groups.remove_space_group, may.MANAGE_SPACE_ACCESS, 204),
    # the directory (SCIM), which describes itself at /Schemas
    Route(GET, SCIM + "/ServiceProviderConfig", discovery.read_configuration, may.PROVISION),
    Route(GET, SCIM + "/Schemas", discovery.list_schemas, may.PROVISION),
    Route(GET, SCIM + "/Schemas/{schema}", discovery.read_schema, may.PROVISION),
    Route(GET, SCIM + "/ResourceTypes", discovery.list_resource_types, may.PROVISION),
    Route(GET, SCIM + "/ResourceTypes/{resource_type}", discovery.read_resource_type, may.PROVISION),
    Route(GET, SCIM, scim.list_directory, may.PROVISION),
    Route(POST, SCIM + "/.search", scim.search_directory, may.PROVISION),
    Route(POST, SCIM + "/Bulk", scim.run_bulk, may.PROVISION),
    Route(GET, SCIM + "/Users", scim.list_users, may.PROVISION),
    Route(POST, SCIM + "/Users", scim.create_user, may.PROVISION, 201),
    Route(POST, SCIM + "/Users/.search", scim.search_users, may.PROVISION),
    Route(GET, SCIM + "/Users/{user}", scim.read_user, may.PROVISION),
    Route(PUT, SCIM + "/Users/{user}", scim.replace_user, may.PROVISION),
    Route(PATCH, SCIM + "/Users/{user}", scim.patch_user, may.PROVISION),
    Route(DELETE, SCIM + "/Users/{user}", scim.delete_user, may.PROVISION, 204),
    Route(GET, SCIM + "/Groups", scim.list_directory_groups, may.PROVISION),
    Route(POST, SCIM + "/Groups", scim.create_group, may.PROVISION, 201),
    Route(POST, SCIM + "/Groups/.search", scim.search_groups, may.PROVISION),
    Route(GET, SCIM + "/Groups/{group}", scim.read_group, may.PROVISION),
    Route(PUT, SCIM + "/Groups/{group}", scim.replace_group, may.PROVISION),
    Route(PATCH, SCIM + "/Groups/{group}", scim.patch_group, may.PROVISION, 204),
    Route(DELETE, SCIM + "/Groups/{group}", scim.delete_group, may.PROVISION, 204),
    # recordings
    Route(GET, ROOM + "/recordings", recordings.list_recordings, may.LIST_RECORDINGS),
    Route(POST, ROOM + "/recordings", recordings.create_recording, may.ADD_RECORDING, 201),
    Route(GET, RECORDING, recordings.read_recording, may.READ_RECORDING),
    Route(PATCH, RECORDING, recordings.update_recording, may.CHANGE_RECORDING),
    Route(DELETE, RECORDING, recordings.delete_recording, may.CHANGE_RECORDING, 204),
    Route(GET, RECORDING + "/media", recordings.read_recording_media, may.READ_RECORDING),
    # transcripts
    Route(GET, TRANSCRIPT, transcripts.read_transcript, may.READ_RECORDING),
    Route(PUT, TRANSCRIPT, transcripts.put_transcript, may.WRITE_TRANSCRIPT),
    Route(GET, TRANSCRIPT + "/versions", transcripts.list_transcript_versions, may.READ_RECORDING),
    Route(DELETE, TRANSCRIPT, transcripts.delete_transcript, may.CHANGE_RECORDING, 204),
    Route(POST, RECORDING + "/transcription", transcripts.start_transcription, may.WRITE_TRANSCRIPT, 202),
    # attachments
    Route(GET, ROOM + "/attachments", attachments.list_attachments, may.READ_MESSAGES),
    Route(POST, ROOM + "/attachments", attachments.create_attachment, may.ADD_ATTACHMENT, 201),
    Route(GET, ATTACHMENT + "/content", attachments.read_attachment_content, may.READ_ATTACHMENT),
    Route(GET, ATTACHMENT + "/thumbnail", attachments.read_attachment_thumbnail, may.READ_ATTACHMENT),
    # resumable uploads
    Route(POST, ROOM + "/uploads", tus.create_upload, may.UPLOAD, 201, TUS_RESPONSE_HEADERS),
    Route(GET, UPLOAD, tus.read_upload, may.CONTINUE_UPLOAD, 200, TUS_RESPONSE_HEADERS),
    Route(PATCH, UPLOAD, tus.append_to_upload, may.CONTINUE_UPLOAD, 204, TUS_RESPONSE_HEADERS),
    Route(DELETE, UPLOAD, tus.delete_upload, may.CONTINUE_UPLOAD, 204, TUS_RESPONSE_HEADERS),
)
