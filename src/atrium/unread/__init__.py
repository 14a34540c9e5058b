"""Unread messages: how far each person has read in a room, and what is new since."""
