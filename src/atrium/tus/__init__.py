"""Resumable uploads, by the tus protocol."""
