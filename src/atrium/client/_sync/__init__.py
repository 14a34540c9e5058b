"""The client, written by `make client` from `_async`; see docs/decisions/0023-client.md."""
