"""The key policy of an organization: what it allows of keys."""
