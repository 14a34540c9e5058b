"""Recordings of rooms."""
