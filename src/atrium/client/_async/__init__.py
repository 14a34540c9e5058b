"""The client, asynchronous: the one source. `make client` writes `_sync` from it; see docs/decisions/0023-client.md."""
