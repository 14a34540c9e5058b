"""Outbound HTTP, to allowed addresses only."""
