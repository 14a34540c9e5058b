"""All mutations, sorted by their tests."""

from tests.mutants.rules_keys import KEYS
from tests.mutants.rules_messages import MESSAGES
from tests.mutants.rules_permissions import PERMISSIONS
from tests.mutants.rules_webhooks import AHEAD, DELIVERIES, SET_BACK
from tests.mutants.rules_webhooks_destinations import DESTINATIONS
from tests.mutants.rules_webhooks_health import HEALTH_OF_WEBHOOKS
from tests.mutants.rules_webhooks_managed import WEBHOOKS

RULES = (
    *AHEAD,
    *SET_BACK,
    *DELIVERIES,
    *WEBHOOKS,
    *DESTINATIONS,
    *HEALTH_OF_WEBHOOKS,
    *MESSAGES,
    *KEYS,
    *PERMISSIONS,
)
ALL = sorted(RULES, key=lambda each: each.tests)
