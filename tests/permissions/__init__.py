"""Who may do what, asked of a running server."""
