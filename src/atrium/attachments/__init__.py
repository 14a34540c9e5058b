"""Files attached to messages."""
