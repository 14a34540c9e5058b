"""Rooms: they contain messages and blocks."""
