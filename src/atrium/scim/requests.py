"""Read SCIM requests into the library's models, after `compatibility` has normalized them."""

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import Any, TypeVar, cast
from urllib.parse import parse_qsl

import msgspec
from scim2_models import Context, InvalidPathException, PatchOp, Path, Resource, SearchRequest
from scim2_models import ResponseParameters as Selection

from atrium.kit.errors import invalid_parameter
from atrium.scim import compatibility
from atrium.scim.errors import ScimError
from atrium.scim.normalization import contains_nul, escapes_unstorable, is_nested_deeper
from atrium.scim.resources import MODELS, USER, library_errors

Json = dict[str, Any]
MAX_FILTER_LENGTH, MAX_PATH_LENGTH = 4_096, 65_536  # characters; a path may name a thousand members
R = TypeVar("R", bound=Resource[Any])
SEARCHES: Mapping[tuple[str, ...], Any] = {
    ("User",): SearchRequest.__class_getitem__(USER),
    ("Group",): SearchRequest.__class_getitem__(MODELS["Group"]),
    ("User", "Group"): SearchRequest.__class_getitem__(reduce(or_, MODELS.values())),
}


def json_object(body: bytes) -> Json:
    """Return the body as a JSON object. Raise ScimError (`invalidSyntax`)."""
    try:
        payload = msgspec.json.decode(body, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ScimError.of(f"The body is not a JSON object: {error}", "invalidSyntax") from None
    if is_nested_deeper(payload):
        raise ScimError.of("The body is nested too deeply.", "invalidSyntax")
    if contains_nul(payload):
        raise ScimError.of("A text contains a NUL character.", "invalidValue")
    return payload


def full_resource(model: type[R], payload: Json, context: Context) -> R:
    """Return the resource in a create or replace request. Raise ScimError."""
    if model is USER:
        payload = compatibility.user(payload)
    with library_errors():
        return model.model_validate(payload, scim_ctx=context)


def operations(payload: Json) -> list[Json]:
    """Return the normalized operations of a PATCH, not yet validated. Raise ScimError."""
    found = next((value for name, value in payload.items() if name.lower() == "operations"), None)
    if not isinstance(found, list) or not found or not all(isinstance(each, dict) for each in found):
        raise ScimError.of("Operations must be a list of operations.", "invalidSyntax")
    return [part for each in found for part in compatibility.operations(each)]


def patch(model: type[R], ops: list[Json]) -> "PatchOp[R]":
    """Return the validated operations of a PATCH. Raise ScimError, also for attributes that do not exist."""
    read = [_operation(model, op) for op in ops]
    made: Any = PatchOp.__class_getitem__(model)
    with library_errors():
        return cast("PatchOp[R]", made.model_validate({"Operations": read}, scim_ctx=Context.RESOURCE_PATCH_REQUEST))


def _operation(model: type[Resource[Any]], op: Json) -> Json:
    """Return an operation with a valid path, and with a value that names no unknown attribute. Raise ScimError."""
    value = op.get("value")
    if "path" not in op:
        for name, each in value.items() if isinstance(value, dict) else ():
            _require_known(model, path_of(model, name), each)
        return op
    path = path_of(model, op["path"])
    if str(op.get("op")).lower() == "remove" and "value" in op:
        return {**op, "path": str(path), "value": _removed(path, value)}
    _require_known(model, path, value)
    return {**op, "path": str(path)}


def _removed(path: Path[Any], value: Any) -> Any:
    """Return the entries to remove from a list, which may be given as plain texts; None to remove all of it."""
    binding = path.resolve() if path.model is None else None
    entries = value if isinstance(value, list) else [value]
    if binding is None or not binding.is_multivalued or binding.sub_field_name or path.value_filter is not None:
        return value if value and isinstance(value, dict | list) else None
    return [each if isinstance(each, dict) else {"value": each} for each in entries] if value != "" else None


def _require_known(model: type[Resource[Any]], path: Path[Any], value: Any) -> None:
    """Raise ScimError (`invalidPath`) if an object names a part that the attribute does not have."""
    foreign = path.model is None and path.resolve() is None
    for entry in value if isinstance(value, list) else [value]:
        for name in entry if isinstance(entry, dict) and not foreign else ():
            path_of(model, f"{compatibility.without_filter(str(path))}{':' if path.model else '.'}{name}")


def apply(patch: "PatchOp[R]", resource: R) -> R:
    """Return a copy of the resource with the patch applied. Raise ScimError."""
    patched = resource.model_copy(deep=True)
    with library_errors():
        patch.patch(patched)
    return patched


def path_of(model: type[Resource[Any]], text: object) -> Path[Any]:
    """Return a path of a PATCH, bound to its model. Raise ScimError (`invalidPath`) for an unknown attribute."""
    if not isinstance(text, str):
        raise ScimError.of("A path must be a string.", "invalidPath")
    if len(text) > MAX_PATH_LENGTH or escapes_unstorable(text):
        raise ScimError.of(f"A path has at most {MAX_PATH_LENGTH} characters and no NUL.", "invalidPath")
    made: Any = Path.__class_getitem__(model)
    with library_errors():
        path: Path[Any] = made(compatibility.add_quotes(text.strip()))
        known = path.model is not None or path.resolve() is not None
        if not known and not compatibility.is_foreign(text):
            raise InvalidPathException(path=text, detail=f"{text!r} is not an attribute of {model.__schema__}")
    return path


def query(query_string: bytes) -> Json:
    """Return the query parameters. Raise InvalidRequest."""
    try:
        pairs = parse_qsl(query_string.decode("ascii"), keep_blank_values=True, errors="strict")
    except (UnicodeDecodeError, ValueError):
        raise invalid_parameter("query", "is not percent-encoded UTF-8") from None
    if any("\x00" in text for _, text in pairs):
        raise invalid_parameter("query", "contains a NUL character")
    return {name: text for name, text in pairs if text}


def search(kinds: tuple[str, ...], parameters: Json) -> "SearchRequest[Any]":
    """Return the search in a query string or body, for resources of these kinds. Raise ScimError."""
    model: Any = SEARCHES[kinds]
    texts = {
        name: _filter(value) if name.lower() == "filter" and isinstance(value, str) else value
        for name, value in parameters.items()
    }
    with library_errors():
        return cast("SearchRequest[Any]", model.model_validate(texts))


def _filter(text: str) -> str:
    """Return a normalized filter. Raise ScimError if it is long, as it may be evaluated for each user."""
    if len(text) > MAX_FILTER_LENGTH or escapes_unstorable(text):
        raise ScimError.of(f"A filter has at most {MAX_FILTER_LENGTH} characters and no NUL.", "invalidFilter")
    return compatibility.add_quotes(text)


def selection(kind: str, query_string: bytes) -> "Selection[Any]":
    """Return the `attributes` and `excludedAttributes` of a request. Raise ScimError."""
    model: Any = Selection.__class_getitem__(MODELS[kind])
    wanted = {
        name: text for name, text in query(query_string).items() if name.lower() in ("attributes", "excludedattributes")
    }
    with library_errors():
        return cast("Selection[Any]", model.model_validate(wanted))


def as_text(document: Json) -> str:
    """Return a document as JSON text for the database."""
    return msgspec.json.encode(document).decode()
