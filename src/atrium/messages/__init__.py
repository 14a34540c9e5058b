"""Messages: sending, reading page by page, editing, deleting, reactions."""
