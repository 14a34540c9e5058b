"""Blocks: the typed, ordered elements of a room's page, and of a message."""
