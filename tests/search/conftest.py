"""The real archive, for searching in it."""

from tests.imports.conftest import archive, racket

__all__ = ["archive", "racket"]
