"""`atrium import slack`."""


def import_slack() -> None:
    """x"""
