"""The caller's account, signing in, and an empty server."""

from atrium import permissions as may
from atrium.bootstrap import api as bootstrap
from atrium.bootstrap.actions import SetUpRefused
from atrium.keys import api as keys
from atrium.keys.actions import TooManyKeys
from atrium.keys.limits import ApiKeyExpired
from atrium.keys.reach import ApiKeyNotFound
from atrium.kit.http.attempts import TooManyAttempts
from atrium.kit.http.origin import ForgedRequest
from atrium.kit.http.route import DELETE, GET, PATCH, POST, PUT, OneTimeSecret, Route
from atrium.organizations.pending import MailboxNotProven, PendingMembershipNotFound
from atrium.people import api as people
from atrium.sessions import api as sessions
from atrium.sessions.joining import api as joining
from atrium.sessions.links import api as links
from atrium.sessions.model import LinkRefused, SignInRefused
from atrium.sessions.oidc import api as oidc
from atrium.sessions.passwords import api as passwords
from atrium.sessions.passwords.actions import WrongPassword
from atrium.sessions.reach import SessionNotFound

OWN_KEY = "/v1/me/integrations/{api_key_id}"
PENDING = "/v1/me/pending-memberships/{organization_id}"
KEY = OneTimeSecret("api_key", ("api_key", "api_key_id"))

ROUTES = (
    # the caller
    Route(GET, "/v1/me/profile", people.read_profile, may.OWN_ACCOUNT),
    Route(GET, "/v1/me/organizations", people.list_own_organizations, may.OWN_ACCOUNT),
    Route(GET, "/v1/me/integrations", keys.list_own_keys, may.OWN_ACCOUNT),
    Route(POST, "/v1/me/integrations", keys.create_own_key, may.OWN_ACCOUNT, 201, shows_once=KEY,
          raises=[TooManyKeys]),
    Route(PATCH, OWN_KEY, keys.update_own_key, may.OWN_ACCOUNT, raises=[ApiKeyNotFound, ApiKeyExpired]),
    Route(DELETE, OWN_KEY, keys.revoke_own_key, may.END_OWN_ACCESS, 204, raises=[ApiKeyNotFound]),
    Route(POST, OWN_KEY + "/rotate", keys.rotate_own_key, may.OWN_ACCOUNT,
          is_action=True, shows_once=KEY, raises=[ApiKeyNotFound, ApiKeyExpired]),
    Route(GET, OWN_KEY + "/usage", keys.read_own_key_usage, may.OWN_ACCOUNT, raises=[ApiKeyNotFound]),
    Route(GET, "/v1/me/pending-memberships", joining.list_pending_memberships, may.OWN_ACCOUNT),
    Route(POST, PENDING + "/accept", joining.accept_pending_membership, may.OWN_ACCOUNT,
          raises=[PendingMembershipNotFound, MailboxNotProven]),
    Route(DELETE, PENDING, joining.decline_pending_membership, may.OWN_ACCOUNT, 204,
          raises=[PendingMembershipNotFound]),
    # signing in
    Route(POST, "/v1/sessions", sessions.create_session, may.ANYONE, 201,
          raises=[SignInRefused, TooManyAttempts, ForgedRequest]),
    Route(POST, "/v1/sessions/link", sessions.create_session_by_link, may.ANYONE, 201,
          raises=[LinkRefused, SignInRefused, ForgedRequest]),
    Route(DELETE, "/v1/sessions/current", sessions.end_current_session, may.END_OWN_ACCESS, 204,
          raises=[SessionNotFound]),
    Route(GET, "/v1/me/sessions", sessions.list_own_sessions, may.OWN_ACCOUNT),
    Route(DELETE, "/v1/me/sessions", sessions.end_own_sessions, may.END_OWN_ACCESS, 204),
    Route(DELETE, "/v1/me/sessions/{session_id}", sessions.end_own_session, may.END_OWN_ACCESS, 204,
          raises=[SessionNotFound]),
    Route(PATCH, "/v1/me/profile", people.update_profile, may.OWN_ACCOUNT),
    Route(PUT, "/v1/me/password", passwords.put_password, may.OWN_ACCOUNT, raises=[WrongPassword, TooManyAttempts]),
    Route(POST, "/v1/sign-in-links", links.create_sign_in_link, may.ANYONE, 202, raises=[TooManyAttempts]),
    Route(POST, "/v1/password-resets", links.create_password_reset, may.ANYONE, 202, raises=[TooManyAttempts]),
    Route(POST, "/v1/password-resets/confirm", passwords.confirm_password_reset, may.ANYONE,
          raises=[LinkRefused, SignInRefused, ForgedRequest]),
    Route(GET, "/v1/sign-in/methods", oidc.list_sign_in_methods, may.ANYONE),
    Route(GET, "/v1/sign-in/oidc/start", oidc.start_oidc, may.ANYONE, 302),
    Route(GET, "/v1/sign-in/oidc/callback", oidc.finish_oidc, may.ANYONE, 302),
    # an empty server
    Route(GET, "/v1/set-up", bootstrap.read_set_up, may.ANYONE),
    Route(POST, "/v1/set-up", bootstrap.create_set_up, may.ANYONE, 201,
          raises=[SetUpRefused, TooManyAttempts, ForgedRequest]),
)  # fmt: skip
