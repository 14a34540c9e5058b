"""Set, change and reset passwords."""
