"""API keys: of integrations and of people."""
