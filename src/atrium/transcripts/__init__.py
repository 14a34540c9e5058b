"""Transcripts of recordings: put by people, or heard by an engine in the background."""
