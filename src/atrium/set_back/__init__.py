"""Times that were stored while the clock was ahead, once it is set back."""
