"""The router: a tree of path segments that finds the endpoint of a request.

It serves every path, including those of the hot requests. A path without parameters comes before one with parameters,
a literal segment before a parameter, and extra slashes make no difference. HEAD finds the endpoint of GET.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Generic, NamedTuple, TypeVar

from atrium.kit.errors import MethodNotAllowed, NotFound

E = TypeVar("E")
CACHE_SIZE, MAX_CACHED_LENGTH = 1 << 12, 200  # paths, and characters; the same rooms are requested again and again
REST = "...}"  # ends a last segment such as `{path...}`, which takes all segments that are left


class Match(NamedTuple, Generic[E]):
    """The endpoint for a request, the path that it was added with, and the parameters in the request's path."""

    endpoint: E
    template: str
    parameters: Mapping[str, str]


class _Node(Generic[E]):
    """A segment: what may follow it, and the endpoints by method of the path that ends with it."""

    __slots__ = ("endpoints", "literals", "parameter", "takes_rest")

    def __init__(self, *, takes_rest: bool = False) -> None:
        self.literals: dict[str, _Node[E]] = {}
        self.parameter: _Node[E] | None = None
        self.takes_rest = takes_rest
        self.endpoints: dict[str, tuple[E, str, tuple[str, ...]]] = {}

    def child(self, segment: str) -> "_Node[E]":
        """Return the node of a following segment, which is added if needed."""
        if not segment.startswith("{"):
            return self.literals.setdefault(segment, _Node())
        if self.parameter is None:
            self.parameter = _Node(takes_rest=segment.endswith(REST))
        return self.parameter


class Router(Generic[E]):
    """Endpoints by method and path."""

    def __init__(self) -> None:
        self._root: _Node[E] = _Node()
        self._plain: dict[str, _Node[E]] = {}
        self._find_cached = lru_cache(CACHE_SIZE)(self._find)

    def add(self, method: str, path: str, endpoint: E) -> None:
        """Add an endpoint. `path` may have parameters: `/v2/rooms/{room_id}`."""
        node, names = self._root, []
        if "{" not in path:
            node = self._plain.setdefault(path, _Node())
        else:
            for segment in _segments(path):
                node = node.child(segment)
                if segment.startswith("{"):
                    names.append(segment.strip("{}."))
        node.endpoints[method] = (endpoint, path.replace(REST, "}"), tuple(names))

    def find(self, method: str, path: str) -> Match[E]:
        """Return the endpoint of a request. Raise NotFound, MethodNotAllowed."""
        return (self._find_cached if len(path) <= MAX_CACHED_LENGTH else self._find)(method, path)

    def _find(self, method: str, path: str) -> Match[E]:
        node, values = self._locate(path)
        if method == "HEAD" and method not in node.endpoints:
            method = "GET"
        if method not in node.endpoints:
            error = MethodNotAllowed()
            error.headers += (("allow", ", ".join(node.endpoints)),)
            raise error
        endpoint, template, names = node.endpoints[method]
        return Match(endpoint, template, dict(zip(names, values, strict=True)))

    def _locate(self, path: str) -> tuple[_Node[E], list[str]]:
        if path.endswith("/") or "//" in path:
            path = normalize(path)
        if path in self._plain:
            return self._plain[path], []
        node, values = self._root, list[str]()
        segments = path.split("/")[1:]
        for nr, segment in enumerate(segments):
            following = node.literals.get(segment)
            if following is None:
                following = node.parameter
                if following is None:
                    raise NotFound
                values.append("/" + "/".join(segments[nr:]) if following.takes_rest else segment)
            node = following
            if node.takes_rest:
                break
        if not node.endpoints:
            raise NotFound
        return node, values


def normalize(path: str) -> str:
    """Return a path with one slash before each segment and none at its end."""
    return "/" + "/".join(_segments(path))


def _segments(path: str) -> list[str]:
    return [segment for segment in path.split("/") if segment]
