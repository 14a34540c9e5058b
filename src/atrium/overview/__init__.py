"""An organization in figures."""
