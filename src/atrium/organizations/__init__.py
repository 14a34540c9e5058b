"""Organizations and their members."""
