"""Outbound HTTP, to vetted addresses only."""
