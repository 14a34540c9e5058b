"""Import history from other products."""
