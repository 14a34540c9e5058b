"""Signing in: passwords, links by mail, single sign-on; the browser sessions that follow."""
