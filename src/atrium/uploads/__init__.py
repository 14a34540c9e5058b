"""Uploads in progress, in one request or in several."""
