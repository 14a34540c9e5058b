"""Counts of attempts by the hour, and how many deliveries wait."""
