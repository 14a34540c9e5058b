"""All mutations, sorted by their tests."""

from tests.mutants.rules_keys import KEYS
from tests.mutants.rules_messages import MESSAGES
from tests.mutants.rules_permissions import PERMISSIONS
from tests.mutants.rules_webhooks import DELIVERIES
from tests.mutants.rules_webhooks_destinations import DESTINATIONS
from tests.mutants.rules_webhooks_managed import WEBHOOKS

ALL = sorted([*DELIVERIES, *WEBHOOKS, *DESTINATIONS, *MESSAGES, *KEYS, *PERMISSIONS], key=lambda each: each.tests)
