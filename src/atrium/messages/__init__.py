"""Messages: sent, read back by the page, edited, deleted, reacted to."""
