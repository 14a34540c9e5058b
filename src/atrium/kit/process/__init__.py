"""What a process does for itself: chores, logs, memory, other programs, private folders."""
