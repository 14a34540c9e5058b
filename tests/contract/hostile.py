"""Hostile and unusual texts, and the fields where the API accepts text."""

from collections.abc import Iterator
from typing import Any

Json = Any
Path = tuple[str | int, ...]

# Not valid as names: they are invisible, or change the text around them.
NO_NAMES = {
    "zero width": "\u200b\u200d\ufeff",
    "blank letters": "\u3164\u115f\u2800",
    "tags": "\U000e0061\U000e0062",
    "spaces": " \u00a0\u3000",
    "variation selectors": "\ufe0f\U000e0101",
    "override of direction": "invoice\u202egpj.exe",
    "isolate": "a\u2067b",
    "two lines": "two\nlines",
    "line break at the end": "name\n",
    "line separator": "a\u2028b",
    "escape": "\x1b[31mred\x1b[0m",
    "escape in one byte": "a\x9b31mb",
    "NUL": "a\x00b",
}
# Valid names, returned as sent.
NAMES = {
    "family": "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",
    "flag of England": "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "heart in colour": "\u2764\ufe0f",
    "Hebrew": "\u05e2\u05d3\u05d4 \u05dc\u05d0\u05d1\u05dc\u05d9\u05d9\u05e1",
    "Arabic with a mark": "\u0634\u0631\u0643\u0629 ACME\u200f (2)",
    "Persian with a non-joiner": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "Devanagari with a joiner": "\u0915\u094d\u200d\u0937",
    "stacked marks": "Z\u0351\u036b\u0343a\u0310\u0342",
    "letters that grow": "\u0130\u017f\ufb03\u212a",
    "markup": "<script>alert(1)</script>",
    "SQL": "'; drop table people; --",
    "format": "%s%n{0}{{7*7}}${x}",
    "path": "../../etc/passwd",
    "formula": "=cmd|' /C calc'!A0",
    "null": "null",
}
SECRETS = {"password", "current_password", "token"}  # each costs a hash and is never returned


def text_fields(document: Json, schema: Json, body: Json, at: Path = ()) -> Iterator[tuple[Path, Json]]:
    """Yield the paths of the free-text fields of a body with their schemas, optional ones included."""
    for form in forms(document, schema):
        if form.get("type") == "string" and not form.keys() & {"enum", "const", "format"}:
            yield at, form
        elif form.get("type") == "array" and isinstance(body, list) and body:
            yield from text_fields(document, form.get("items", {}), body[0], (*at, 0))
        elif isinstance(body, dict):
            for name, inner in form.get("properties", {}).items():
                yield from text_fields(document, inner, body.get(name), (*at, name))


def forms(document: Json, schema: Json) -> Iterator[Json]:
    """Return the alternatives of a schema."""
    if reference := schema.get("$ref"):
        schema = document["components"]["schemas"][reference.rpartition("/")[2]]
    if several := schema.get("anyOf") or schema.get("oneOf"):
        for each in several:
            yield from forms(document, each)
    else:
        yield schema


def with_text(body: Json, path: Path, text: str) -> Json:
    """Return the body with the text at the path."""
    if not path:
        return text
    step, *rest = path
    if isinstance(step, int):
        return [with_text(body[0], tuple(rest), text), *body[1:]]
    return {**body, step: with_text(body.get(step), tuple(rest), text)}


def values_of(answer: Json, name: str) -> list[Json]:
    """Return every value with that name in a response."""
    if isinstance(answer, list):
        return [value for each in answer for value in values_of(each, name)]
    if not isinstance(answer, dict):
        return []
    own = [answer[name]] if name in answer else []
    return own + [value for each in answer.values() for value in values_of(each, name)]
