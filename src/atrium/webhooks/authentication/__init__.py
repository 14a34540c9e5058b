"""How a webhook authenticates to its endpoint: OAuth 2 or a client certificate."""
