"""Replace functions, constants, statements and SQL functions by wrong ones."""

from importlib import import_module
from operator import attrgetter
from typing import Any

import psycopg

SIGNATURE = """
select oid::regprocedure::text, pg_get_function_arguments(oid), pg_get_function_result(oid)
from pg_proc where proname = %s and pronamespace = 'public'::regnamespace
"""
wrong_functions: dict[str, str] = {}  # bodies of the fault's SQL functions by name


def replace(place: str, new: Any) -> None:
    """Replace the object at `module:name` or `module:Class.name`. It runs before other modules import the name."""
    module, _, path = place.partition(":")
    owner, _, name = path.rpartition(".")
    found = import_module(f"atrium.{module}")
    holder = attrgetter(owner)(found) if owner else found
    getattr(holder, name)  # it exists
    setattr(holder, name, new)


def original(place: str) -> Any:
    """Return the object at `module:name`."""
    module, _, path = place.partition(":")
    return attrgetter(path)(import_module(f"atrium.{module}"))


def replace_in_sql(place: str, old: str, new: str) -> None:
    """Replace each `old` in an SQL constant."""
    statement = original(place)
    assert old in statement, f"{place} has no {old}"
    replace(place, statement.replace(old, new))


def wrong_function(name: str, body: str) -> None:
    """Let an SQL function have another body, in which `right_NAME` is the function as it was."""
    wrong_functions[name] = body


def replace_functions(database_url: str) -> None:
    """Replace the SQL functions of a database."""
    with psycopg.connect(database_url) as db:
        for name, body in wrong_functions.items():
            [(signature, arguments, result)] = db.execute(SIGNATURE, [name]).fetchall()
            db.execute(f"alter function {signature} rename to right_{name}".encode())
            db.execute(f"create function {name}({arguments}) returns {result} language sql as $${body}$$".encode())
