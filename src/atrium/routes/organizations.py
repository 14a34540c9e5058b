"""Organizations, their people, imports, keys and webhooks."""

from atrium import permissions as may
from atrium.event_types import api as event_types
from atrium.imports import api as imports
from atrium.imports.model import ImportConflict, ImportNotFound
from atrium.integrations import api as integrations
from atrium.integrations.key_policy import api as key_policies
from atrium.integrations.reach import IntegrationNotFound
from atrium.keys.actions import TooManyKeys
from atrium.keys.limits import ApiKeyExpired
from atrium.keys.reach import ApiKeyNotFound
from atrium.kit.errors import BodyCut
from atrium.kit.http.attempts import TooManyAttempts
from atrium.kit.http.origin import ForgedRequest
from atrium.kit.http.responses import CsvTable, Header
from atrium.kit.http.route import DELETE, GET, PATCH, POST, PUT, Alternative, OneTimeSecret, Route
from atrium.kit.storage import StorageUnavailable
from atrium.messages.reach import MessageNotFound
from atrium.organizations import api as organizations
from atrium.organizations.actions import MembershipPending
from atrium.organizations.audit_log import api as audit_log
from atrium.organizations.invitations import api as invitations
from atrium.organizations.invitations.actions import AlreadyMember
from atrium.organizations.invitations.reach import InvitationNotFound
from atrium.organizations.mails import api as mails
from atrium.organizations.mails.reach import MailNotFound
from atrium.organizations.member_keys import api as member_keys
from atrium.organizations.membership import LastSuperAdmin
from atrium.organizations.reach import MemberNotFound
from atrium.overview import api as overview
from atrium.rooms.reach import RoomNotFound
from atrium.routes.paths import ORGANIZATION
from atrium.sessions.joining import api as joining
from atrium.sessions.joining.actions import AccountExists
from atrium.sessions.model import SignInRefused
from atrium.spaces.reach import SpaceNotFound
from atrium.tus.headers import (
    OFFSET_STREAM,
    TUS_RESPONSE_HEADERS,
    TUS_RESUMABLE,
    UPLOAD_LENGTH,
    UPLOAD_OFFSET,
    WrongContentType,
    WrongTusVersion,
)
from atrium.uploads.model import EmptyFile, StorageQuotaExceeded, UploadConflict, UploadTooLarge
from atrium.webhooks.health import api as health
from atrium.webhooks.log import api as deliveries
from atrium.webhooks.log.actions import WebhookNotActive
from atrium.webhooks.log.ping import SecretsUnreadable
from atrium.webhooks.log.reach import DeliveryNotFound
from atrium.webhooks.manage import api as webhooks
from atrium.webhooks.manage.destinations import ForbiddenEndpoint
from atrium.webhooks.manage.limits import TooManySubscriptions, TooManyWebhooks
from atrium.webhooks.manage.matching import PreviewInProgress, PreviewTimedOut
from atrium.webhooks.manage.reach import WebhookNotFound

INTEGRATION_KEYS = ORGANIZATION + "/integrations/{integration_id}/api-keys"
IMPORT = ORGANIZATION + "/imports/{import_id}"
WEBHOOK = ORGANIZATION + "/webhooks/{webhook_id}"
INVITATION = ORGANIZATION + "/invitations/{invitation_id}"
API_KEY = ORGANIZATION + "/api-keys/{api_key_id}"
KEY = OneTimeSecret("api_key", ("api_key", "api_key_id"))
WEBHOOK_SECRET = OneTimeSecret("webhook", ("webhook", "id"))
INVITATION_LINK = OneTimeSecret("invitation", ("invitation", "invitation_id"))
FILE_NAME = Header("Upload-Metadata", "`filename` in base64", "filename c2xhY2suemlw", required=False)

ROUTES = (
    # organizations and their people
    Route(GET, ORGANIZATION, organizations.read_organization, may.READ_ORGANIZATION),
    Route(PATCH, ORGANIZATION, organizations.update_organization, may.CHANGE_ORGANIZATION),
    Route(GET, ORGANIZATION + "/actors", organizations.list_actors, may.READ_ORGANIZATION),
    Route(GET, ORGANIZATION + "/members", organizations.list_members, may.LIST_MEMBERS),
    Route(PATCH, ORGANIZATION + "/members/{person_id}", organizations.update_member, may.MANAGE_MEMBERS,
          raises=[MemberNotFound, LastSuperAdmin, MembershipPending]),
    Route(DELETE, ORGANIZATION + "/members/{person_id}", organizations.remove_member, may.MANAGE_MEMBERS, 204,
          raises=[MemberNotFound, LastSuperAdmin]),
    Route(POST, ORGANIZATION + "/invitations", invitations.create_invitation, may.INVITE, 201,
          shows_once=INVITATION_LINK, raises=[AlreadyMember, TooManyAttempts]),
    Route(GET, ORGANIZATION + "/invitations", invitations.list_invitations, may.LIST_MEMBERS),
    Route(DELETE, INVITATION, invitations.revoke_invitation, may.MANAGE_MEMBERS, 204, raises=[InvitationNotFound]),
    Route(POST, "/v1/invitations/preview", joining.preview_invitation, may.ANYONE, raises=[InvitationNotFound]),
    Route(POST, "/v1/invitations/accept", joining.accept_invitation, may.ANYONE, 201,
          raises=[InvitationNotFound, AccountExists, ForgedRequest, SignInRefused]),
    Route(GET, ORGANIZATION + "/audit-log", audit_log.list_audit_log, may.READ_AUDIT_LOG, reads_replica=True),
    Route(GET, ORGANIZATION + "/audit-log/export", audit_log.export_audit_log, may.READ_AUDIT_LOG,
          alternative=Alternative(CsvTable.media_type, audit_log.CSV_EXAMPLE)),
    Route(GET, ORGANIZATION + "/overview", overview.read_overview, may.READ_OVERVIEW, reads_replica=True),
    Route(GET, ORGANIZATION + "/first-steps", overview.read_first_steps, may.READ_OVERVIEW),
    Route(GET, ORGANIZATION + "/mails", mails.list_mails, may.LIST_MAILS),
    Route(GET, ORGANIZATION + "/mails/{mail_id}", mails.read_mail, may.READ_MAIL, raises=[MailNotFound]),
    # imports
    Route(GET, ORGANIZATION + "/imports", imports.list_imports, may.IMPORT),
    Route(POST, ORGANIZATION + "/imports", imports.create_import, may.IMPORT, 201, TUS_RESPONSE_HEADERS,
          reads_headers=[TUS_RESUMABLE, UPLOAD_LENGTH, FILE_NAME],
          raises=[WrongTusVersion, EmptyFile, UploadTooLarge, StorageQuotaExceeded, SpaceNotFound]),
    Route(GET, IMPORT, imports.read_import, may.IMPORT, 200, TUS_RESPONSE_HEADERS, raises=[ImportNotFound]),
    Route(PATCH, IMPORT, imports.append_to_import, may.IMPORT, 204, TUS_RESPONSE_HEADERS,
          receives=OFFSET_STREAM, reads_headers=[TUS_RESUMABLE, UPLOAD_OFFSET],
          raises=[ImportNotFound, ImportConflict, WrongTusVersion, WrongContentType, UploadConflict, UploadTooLarge,
                  EmptyFile, BodyCut, StorageUnavailable]),
    Route(DELETE, IMPORT, imports.cancel_import, may.IMPORT, 204, TUS_RESPONSE_HEADERS,
          raises=[ImportNotFound, ImportConflict]),
    Route(POST, IMPORT + "/start", imports.start_import, may.IMPORT, 202, raises=[ImportNotFound, ImportConflict]),
    # integrations and their keys
    Route(GET, ORGANIZATION + "/personal-keys", member_keys.list_member_keys, may.MANAGE_KEYS),
    Route(DELETE, ORGANIZATION + "/personal-keys/{api_key_id}", member_keys.revoke_member_key, may.MANAGE_KEYS, 204,
          raises=[ApiKeyNotFound]),
    Route(GET, ORGANIZATION + "/api-keys", integrations.list_api_keys, may.MANAGE_KEYS),
    Route(POST, ORGANIZATION + "/api-keys", integrations.create_api_key, may.MANAGE_KEYS, 201,
          shows_once=KEY, raises=[SpaceNotFound]),
    Route(GET, INTEGRATION_KEYS, integrations.list_integration_keys, may.MANAGE_KEYS, raises=[IntegrationNotFound]),
    Route(POST, INTEGRATION_KEYS, integrations.create_integration_key, may.MANAGE_KEYS, 201,
          shows_once=KEY, raises=[IntegrationNotFound, TooManyKeys]),
    Route(GET, API_KEY, integrations.read_api_key, may.MANAGE_KEYS, raises=[ApiKeyNotFound]),
    Route(PATCH, API_KEY, integrations.update_api_key, may.MANAGE_KEYS,
          raises=[ApiKeyNotFound, ApiKeyExpired, SpaceNotFound]),
    Route(DELETE, API_KEY, integrations.revoke_api_key, may.MANAGE_KEYS, 204, raises=[ApiKeyNotFound]),
    Route(POST, API_KEY + "/rotate", integrations.rotate_api_key, may.MANAGE_KEYS,
          is_action=True, shows_once=KEY, raises=[ApiKeyNotFound, ApiKeyExpired]),
    Route(GET, API_KEY + "/usage", integrations.read_api_key_usage, may.MANAGE_KEYS, raises=[ApiKeyNotFound]),
    Route(GET, ORGANIZATION + "/key-policy", key_policies.read_key_policy, may.MANAGE_KEYS),
    Route(PUT, ORGANIZATION + "/key-policy", key_policies.put_key_policy, may.MANAGE_KEYS),
    Route(POST, ORGANIZATION + "/key-policy-preview", key_policies.preview_key_policy, may.MANAGE_KEYS),
    # webhooks
    Route(GET, "/v1/event-types", event_types.list_event_types, may.ANYONE),
    Route(GET, ORGANIZATION + "/webhooks", webhooks.list_webhooks, may.READ_WEBHOOKS),
    Route(POST, ORGANIZATION + "/webhooks", webhooks.create_webhook, may.MANAGE_WEBHOOKS, 201,
          shows_once=WEBHOOK_SECRET,
          raises=[ForbiddenEndpoint, RoomNotFound, SpaceNotFound, TooManyWebhooks, TooManySubscriptions]),
    Route(GET, WEBHOOK, webhooks.read_webhook, may.READ_WEBHOOKS, raises=[WebhookNotFound]),
    Route(PATCH, WEBHOOK, webhooks.update_webhook, may.MANAGE_WEBHOOKS,
          raises=[WebhookNotFound, ForbiddenEndpoint, RoomNotFound, SpaceNotFound, TooManySubscriptions]),
    Route(DELETE, WEBHOOK, webhooks.delete_webhook, may.MANAGE_WEBHOOKS, 204, raises=[WebhookNotFound]),
    Route(GET, WEBHOOK + "/logs", deliveries.list_webhook_logs, may.READ_WEBHOOKS, raises=[WebhookNotFound]),
    Route(GET, WEBHOOK + "/health", health.read_webhook_health, may.READ_WEBHOOKS, raises=[WebhookNotFound]),
    Route(GET, WEBHOOK + "/match", webhooks.match_webhook, may.READ_WEBHOOKS,
          raises=[WebhookNotFound, RoomNotFound, MessageNotFound]),
    Route(POST, ORGANIZATION + "/webhook-preview", webhooks.preview_subscriptions, may.MANAGE_WEBHOOKS,
          raises=[RoomNotFound, SpaceNotFound, PreviewInProgress, PreviewTimedOut]),
    Route(POST, WEBHOOK + "/test", deliveries.test_webhook, may.MANAGE_WEBHOOKS,
          raises=[WebhookNotFound, SecretsUnreadable]),
    Route(POST, WEBHOOK + "/replay", deliveries.replay_deliveries, may.MANAGE_WEBHOOKS, 202,
          is_action=True, raises=[WebhookNotFound, WebhookNotActive]),
    Route(GET, WEBHOOK + "/replay", deliveries.preview_replay, may.READ_WEBHOOKS, raises=[WebhookNotFound]),
    Route(POST, WEBHOOK + "/rotate-secret", webhooks.rotate_webhook_secret, may.MANAGE_WEBHOOKS,
          is_action=True, shows_once=WEBHOOK_SECRET, raises=[WebhookNotFound]),
    Route(POST, WEBHOOK + "/deliveries/{delivery_id}/resend", deliveries.resend_delivery, may.MANAGE_WEBHOOKS, 202,
          raises=[WebhookNotFound, DeliveryNotFound, WebhookNotActive]),
)  # fmt: skip
