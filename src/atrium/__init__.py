"""Atrium: a team-collaboration server that people run themselves."""

__version__ = "0.1.0"
