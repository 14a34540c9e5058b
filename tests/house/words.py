"""Find disallowed words in prose and in names.

Run as a script to list them: `python -m tests.house.words [PATH-PREFIX]`.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.house.sources import ROOT, SQL_START

# What to write instead; a key is a pattern for whole words in sentences.
PROSE = {
    r"whoever|whosever": "the person (or role) that",
    r"whatever": "any, or what it is",
    r"of ill will": "malicious",
    r"goes along": "is included",
    r"lets? it pass": "accepts",
    r"told": "notified, reported, sent",
    r"at once": "immediately, or together",
    r"anew": "again",
    r"lies? about": "is left over",
    r"by itself": "automatically, alone",
    r"so many": "n, that many",
    r"beside": "next to, in addition to",
    r"he|his|him|himself": "they, their, or the role",
    r"there is no such": "not found",
    r"puts? down": "write, create",
    r"somebody|anybody|everybody": "someone, anyone, everyone, or the role",
    r"heard (by|from|of)|hears": "received, transcribed",
    r"hush|doorbell|rung": "awake, wakeup",
    r"bury|buried": "delete",
    r"(?:a|the|its|each) bearers?(?! token)": "caller, or token",
    r"refusals?": "error, rejection",
    r"remarks": "notes, warnings",
    r"what (?:was seen|it prints|it printed|it wrote)": "record, output",
}
# What to name it instead; a key is a part of a name, as in `kept_pages` or `KeptPages`.
NAMES = {
    "told": "notified, event", "tell": "notify, publish", "hears": "receives", "heard": "received",
    "said": "request, event, texts", "bury": "delete", "buried": "deleted", "asked": "request, context",
    "kept": "cache, stored", "tally": "counters", "ledger": "instrumentation", "faces": "dialects",
    "founding": "bootstrap", "doorbell": "wakeup", "rung": "notified", "waking": "wakeup", "failing": "failures",
    "opened": "open_…", "acting": "actor", "asking": "request", "attaching": "attachments", "ground": "environment",
    "patience": "wait_until", "refusal": "error", "refusals": "errors", "trouble": "problem", "remarks": "warnings",
    "upto": "through", "hush": "lock", "looked": "polled", "unfind": "remove_from_index", "beside": "next_to, besides",
    "whoever": "the role", "anew": "again", "held": "locked, role", "lasts": "lifetime, max_age", "coloured": "colored",
    "scraped": "scrape", "furnished": "furnish", "invoked": "invoke", "piped": "run_with_pipes", "flipped": "flip",
    "undisturbed": "complete", "mirroring": "mirror", "unwrapped": "unwrap", "assembled": "assemble",
}  # fmt: skip
# Names in outputs that do not change: a state of deliveries in a metric, and a key of `atrium doctor --json`.
OUTPUTS = {"held", "said"}
# What a parameter is not named.
PARAMETERS = {"whole": "complete", "most": "max_…", "each": "timeout_each", "beside": "besides", "upto": "through"}

FOLDERS = ("src/atrium", "tests", "bench", "demo", "ui/src", "clients/typescript/src", "clients/typescript/tests")
PAGES = ("*.md", "docs/**/*.md", "clients/*/*.md")
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_PROSE = {re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE): instead for pattern, instead in PROSE.items()}


class Violation(NamedTuple):
    """A disallowed word: the file's path from the root, its line, and the word to use instead."""

    path: str
    line: int
    word: str
    instead: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.word!r}: {self.instead}"


@cache
def files() -> tuple[str, ...]:
    """Return the paths of all files that hold names or sentences of ours."""
    code = (
        path
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".py", ".sql", ".ts", ".tsx"}
    )
    pages = (path for pattern in PAGES for path in ROOT.glob(pattern))
    found = (path.relative_to(ROOT).as_posix() for path in (*code, *pages))
    return tuple(sorted(path for path in found if not _is_built(path)))


def words_of(path: str) -> list[Violation]:
    """Return the disallowed words in a file."""
    return words_in(path, (ROOT / path).read_text())


def words_in(path: str, text: str) -> list[Violation]:
    """Return the disallowed words in a file's name and text."""
    read = {".py": _python, ".md": _markdown}.get(Path(path).suffix, _typescript)
    stem = [Violation(path, 0, part, NAMES[part]) for part in _parts(Path(path).stem) if part in NAMES]
    return stem + [found._replace(path=path) for found in read(text)]


def _is_built(path: str) -> bool:
    return any(
        path.startswith(each)
        for each in (
            "ui/src/api/schema",
            "clients/typescript/src/schema",
            "src/atrium/server/ui/",
        )
    )


def _parts(name: str) -> Iterator[str]:
    return (part.lower() for part in _PART.findall(name))


def _prose(text: str, line: int) -> Iterator[Violation]:
    for pattern, instead in _PROSE.items():
        for match in pattern.finditer(text):
            yield Violation("", line + text.count("\n", 0, match.start()), match[0], instead)


def _python(text: str) -> Iterator[Violation]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield from _prose(token.string, token.start[0])
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _sql(node.value, node.lineno) if SQL_START.match(node.value) else _prose(node.value, node.lineno)
        for name in _names_of(node):
            yield from _words_in_name(name, getattr(node, "lineno", 0))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
                if each.arg in PARAMETERS:
                    yield Violation("", node.lineno, f"{each.arg}=", PARAMETERS[each.arg])


def _words_in_name(name: str, line: int) -> Iterator[Violation]:
    if name.startswith("test_"):  # a sentence
        yield from _prose(name.replace("_", " "), line)
        return
    for part in _parts(name):
        if part in NAMES:
            yield Violation("", line, name, NAMES[part])


def _names_of(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node defines: of functions, variables, attributes, errors, imports and keys."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()) | ast.arg(arg=name):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.alias(asname=str(name)):
            yield name
        case ast.Dict(keys=keys):
            yield from (str(key.value) for key in keys if isinstance(key, ast.Constant) and _is_name(key.value))


def _is_name(value: object) -> bool:
    return isinstance(value, str) and value.isidentifier() and value not in OUTPUTS


# A column or table after `as`, a subquery after its bracket, or a CTE.
_ALIAS = re.compile(r"\bas (\w+)|\) (\w+)(?= on\b|$|\n)|\b(\w+) as (?:materialized )?\(")


def _sql(text: str, line: int) -> Iterator[Violation]:
    for match in _ALIAS.finditer(text):
        name = match[1] or match[2] or match[3]
        if name not in OUTPUTS:
            yield from _words_in_name(name, line + text.count("\n", 0, match.start()))


_FENCED = re.compile(r"^```.*?^```|`[^`\n]*`|\]\([^)]*\)", re.MULTILINE | re.DOTALL)


def _markdown(text: str) -> Iterator[Violation]:
    return _prose(_FENCED.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), text), 1)


_DEFINED = re.compile(r"\b(?:const|let|function|class|interface|type)\s+(\w+)|^\s+(\w+)\??: ", re.MULTILINE)


def _typescript(text: str) -> Iterator[Violation]:
    yield from _prose(text, 1)
    for match in _DEFINED.finditer(text):
        name = match[1] or match[2]
        for part in _parts(name):
            if part in NAMES:
                yield Violation("", text.count("\n", 0, match.start()) + 1, name, NAMES[part])


if __name__ == "__main__":
    under = sys.argv[1:] or [""]
    for path in files():
        if path.startswith(tuple(under)):
            print(*words_of(path), sep="\n", end="\n" if words_of(path) else "")
