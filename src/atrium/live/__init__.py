"""Live events: what happens in the spaces that the caller can access, as it happens."""
