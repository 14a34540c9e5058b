"""Signing in: passwords, emailed links and single sign-on; the browser sessions that follow."""
