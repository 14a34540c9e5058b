"""Credentials of a webhook."""

URL, TLS_URL, TOKEN_URL = "http://127.0.0.1:9/hook", "https://127.0.0.1:9/hook", "http://127.0.0.1:9/token"
OAUTH = {"type": "oauth2", "token_url": TOKEN_URL, "client_id": "atrium", "client_secret": "very-secret"}
