"""The async client and the source of both: `make client` generates `_sync` from it (docs/decisions/0023-client.md)."""
