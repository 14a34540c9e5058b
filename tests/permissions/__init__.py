"""Permissions, tested on a running server."""
