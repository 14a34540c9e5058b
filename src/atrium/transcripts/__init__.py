"""Transcripts of recordings, written by people or by an engine in the background."""
