"""What a command says when it cannot go on."""


class Refusal(Exception):
    """A clear line for the person at the terminal; the command ends with status 1."""
