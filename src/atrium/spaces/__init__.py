"""Spaces: groups of rooms, and the roles that actors hold in them."""
