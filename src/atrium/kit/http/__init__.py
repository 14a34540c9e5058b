"""Requests and responses: types, decoding, paging, idempotency, rate limits."""
