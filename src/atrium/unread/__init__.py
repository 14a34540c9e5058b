"""Unread state of people: how far each has read in a room, and what is new behind it."""
