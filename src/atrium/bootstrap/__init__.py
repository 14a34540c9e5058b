"""The first organization of an empty server."""
