"""Shared code that does not depend on any feature."""
