"""Live events: what happens where the caller reaches, as it happens."""
