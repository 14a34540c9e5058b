"""Passwords of tests have a hash that takes no time, as people of tests sign in hundreds of times.

This changes a process of a test; no setting does. Run as a program, it is `atrium` with such hashes; HTTP processes are
forks of it.
"""

from argon2 import PasswordHasher

from atrium.sessions.passwords import hashing

REAL = hashing._hasher
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


def hash_cheaply() -> None:
    hashing._hasher = CHEAP


if __name__ == "__main__":
    from atrium.cli.main import main

    hash_cheaply()
    main()
