"""Buckets: which one a room is in, and connections that find its tables there. `migrations/buckets.py` makes them."""
