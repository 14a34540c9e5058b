"""Processes: chores, logs, memory, other programs, private folders."""
