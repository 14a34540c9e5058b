"""The deletion of expired data."""
