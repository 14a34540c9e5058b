"""The email to an organization's people."""
