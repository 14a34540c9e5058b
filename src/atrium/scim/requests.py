"""Requests of the directory, read into the library's models after our leniency."""

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import Any, TypeVar, cast
from urllib.parse import parse_qsl

import msgspec
from scim2_models import Context, InvalidPathException, PatchOp, Path, Resource, SearchRequest
from scim2_models import ResponseParameters as Selection

from atrium.kit.errors import invalid_parameter
from atrium.scim import leniency
from atrium.scim.errors import ScimRefusal
from atrium.scim.keys import escapes_unkept, holds_nul, is_nested_deeper
from atrium.scim.resources import MODELS, USER, as_the_library_reads

Json = dict[str, Any]
LONGEST_FILTER, LONGEST_PATH = 4_096, 65_536  # characters; a path may name a thousand members
R = TypeVar("R", bound=Resource[Any])
SEARCHES: Mapping[tuple[str, ...], Any] = {
    ("User",): SearchRequest.__class_getitem__(USER),
    ("Group",): SearchRequest.__class_getitem__(MODELS["Group"]),
    ("User", "Group"): SearchRequest.__class_getitem__(reduce(or_, MODELS.values())),
}


def json_object(body: bytes) -> Json:
    """The body as a JSON object. Raises ScimRefusal (`invalidSyntax`)."""
    try:
        payload = msgspec.json.decode(body, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ScimRefusal.of(f"The body is not a JSON object: {error}", "invalidSyntax") from None
    if is_nested_deeper(payload):
        raise ScimRefusal.of("The body is nested too deeply.", "invalidSyntax")
    if holds_nul(payload):
        raise ScimRefusal.of("A text holds a NUL character.", "invalidValue")
    return payload


def whole(model: type[R], payload: Json, context: Context) -> R:
    """A whole resource, as it is created or replaced with. Raises ScimRefusal."""
    if model is USER:
        payload = leniency.user(payload)
    with as_the_library_reads():
        return model.model_validate(payload, scim_ctx=context)


def operations(payload: Json) -> list[Json]:
    """The operations of a PATCH after our leniency, not yet looked at any closer. Raises ScimRefusal."""
    found = next((value for name, value in payload.items() if name.lower() == "operations"), None)
    if not isinstance(found, list) or not found or not all(isinstance(each, dict) for each in found):
        raise ScimRefusal.of("Operations has to be a list of operations.", "invalidSyntax")
    return [leniency.operation(each) for each in found]


def patch(model: type[R], ops: list[Json]) -> "PatchOp[R]":
    """The operations of a PATCH on a resource. Raises ScimRefusal."""
    read = [{**op, "path": _path(model, op["path"])} if "path" in op else op for op in ops]
    made: Any = PatchOp.__class_getitem__(model)
    with as_the_library_reads():
        return cast("PatchOp[R]", made.model_validate({"Operations": read}, scim_ctx=Context.RESOURCE_PATCH_REQUEST))


def apply(patch: "PatchOp[R]", resource: R) -> R:
    """A copy of the resource with the patch applied. Raises ScimRefusal."""
    patched = resource.model_copy(deep=True)
    with as_the_library_reads():
        patch.patch(patched)
    return patched


def path_of(model: type[Resource[Any]], text: object) -> Path[Any]:
    """A path of a PATCH, bound to its model. Raises ScimRefusal (`invalidPath`) where it names nothing we know."""
    if not isinstance(text, str):
        raise ScimRefusal.of("A path is a text.", "invalidPath")
    if len(text) > LONGEST_PATH or escapes_unkept(text):
        raise ScimRefusal.of(f"A path holds at most {LONGEST_PATH} characters, and no NUL.", "invalidPath")
    made: Any = Path.__class_getitem__(model)
    with as_the_library_reads():
        path: Path[Any] = made(leniency.quoted(text.strip()))
        known = path.model is not None or path.resolve() is not None
        if not known and not text.lower().startswith("urn:"):
            raise InvalidPathException(path=text, detail=f"{text!r} is no attribute of {model.__schema__}")
    return path


def _path(model: type[Resource[Any]], text: object) -> str:
    return str(path_of(model, text))


def query(query_string: bytes) -> Json:
    """The query parameters. Raises InvalidRequest."""
    try:
        pairs = parse_qsl(query_string.decode("ascii"), keep_blank_values=True, errors="strict")
    except (UnicodeDecodeError, ValueError):
        raise invalid_parameter("query", "is not percent-encoded UTF-8") from None
    if any("\x00" in text for _, text in pairs):
        raise invalid_parameter("query", "holds a NUL character")
    return {name: text for name, text in pairs if text}


def search(kinds: tuple[str, ...], parameters: Json) -> "SearchRequest[Any]":
    """A search among resources of these kinds, from a query string or a body. Raises ScimRefusal."""
    model: Any = SEARCHES[kinds]
    texts = {
        name: _filter(value) if name.lower() == "filter" and isinstance(value, str) else value
        for name, value in parameters.items()
    }
    with as_the_library_reads():
        return cast("SearchRequest[Any]", model.model_validate(texts))


def _filter(text: str) -> str:
    """A filter after our leniency. Raises ScimRefusal for a long one: each user may be held against all of it."""
    if len(text) > LONGEST_FILTER or escapes_unkept(text):
        raise ScimRefusal.of(f"A filter holds at most {LONGEST_FILTER} characters, and no NUL.", "invalidFilter")
    return leniency.quoted(text)


def selection(kind: str, query_string: bytes) -> "Selection[Any]":
    """The `attributes` and `excludedAttributes` of a request. Raises ScimRefusal."""
    model: Any = Selection.__class_getitem__(MODELS[kind])
    wanted = {
        name: text for name, text in query(query_string).items() if name.lower() in ("attributes", "excludedattributes")
    }
    with as_the_library_reads():
        return cast("Selection[Any]", model.model_validate(wanted))


def as_text(document: Json) -> str:
    """A document as the database takes it."""
    return msgspec.json.encode(document).decode()
