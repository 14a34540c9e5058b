"""Rooms: where messages and blocks live."""
