"""The groups of a directory, and their roles in spaces."""
