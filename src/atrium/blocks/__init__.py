"""Blocks: the addressable, typed, ordered pieces of a room's page, and of a message."""
