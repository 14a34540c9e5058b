"""Webhooks: events that reach other services."""
