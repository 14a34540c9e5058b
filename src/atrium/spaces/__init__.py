"""Spaces: groups of rooms, and the roles of actors in them."""
