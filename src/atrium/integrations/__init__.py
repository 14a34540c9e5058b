"""Integrations: headless identities of an organization, and the organization key that each acts with."""
