"""The error with which a command ends."""


class CommandError(Exception):
    """A one-line message for the terminal; the command ends with status 1."""
