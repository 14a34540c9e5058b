"""Processes: periodic tasks, logs, garbage collection, the environment of subprocesses, private folders."""
