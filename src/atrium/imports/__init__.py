"""History brought in from elsewhere."""
