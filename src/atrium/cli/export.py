"""`atrium export`."""


def export() -> None:
    """x"""
