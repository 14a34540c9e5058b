"""Send requests, retry those that may succeed later, and raise errors as exceptions."""

import time
from collections.abc import Generator, Mapping
from importlib.metadata import version
from typing import Any, Self, TypeVar
from uuid import UUID

import httpx
import msgspec
from httpx_sse import ServerSentEvent, connect_sse

from atrium.client.errors import APIError, UnexpectedResponse, Unreachable, error_for_status
from atrium.client.model import Event
from atrium.client.retries import Request, Retries, new_idempotency_key, retry_after

SILENCE = 45.0  # seconds; the server sends a heartbeat every 15
LIST_PAGE = "200"
T = TypeVar("T")
Query = Mapping[str, str | int | bool | UUID | None]


class Connection:
    """The connection that sends all requests. You can change `retries` at any time."""

    def __init__(
        self, url: str, key: str, *, timeout: float, retries: Retries, transport: httpx.BaseTransport | None
    ) -> None:
        try:
            self._http = httpx.Client(
                base_url=url, timeout=timeout, transport=transport,
                headers={"authorization": f"Bearer {key}", "user-agent": f"atrium-client/{version('atrium')}"},
            )  # fmt: skip
        except httpx.InvalidURL as error:
            raise ValueError(f"{url} is not a URL: {error}") from None
        self.retries = retries

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def request(
        self, method: str, path: str, kind: type[T], *, query: Query | None = None, body: Any = None,
        idempotency_key: str | None = None,
    ) -> T:  # fmt: skip
        """Send a request and return the decoded response. `body` is anything that msgspec can encode as JSON.

        A GET, PUT or DELETE is retried when the server is unreachable or busy. Any other request is retried only with
        an `idempotency_key`, or when the server certainly did not process it. Raise APIError, Unreachable,
        UnexpectedResponse.
        """
        encoded = None if body is None else msgspec.json.encode(body)
        request = Request(method, path, _query(query), encoded, idempotency_key)
        return _decoded(self._with_retries(request), kind)

    def create(self, path: str, kind: type[T], body: Any, idempotency_key: str | None = None) -> T:
        """Create something with a POST. It is created once, however often the request is retried."""
        key = idempotency_key or new_idempotency_key()
        return self.request("POST", path, kind, body=body, idempotency_key=key)

    def iterate(self, path: str, member: str, kind: type[T], query: Query | None = None) -> Generator[T]:
        """Yield every item of a list, page by page."""
        at: Query = {"limit": LIST_PAGE, **(query or {})}
        while True:
            page = self.request("GET", path, dict[str, msgspec.Raw], query=at)
            for item in _read(page.get(member, msgspec.Raw(b"[]")), list[msgspec.Raw]):
                yield _read(item, kind)
            cursor = _read(page.get("next_cursor", msgspec.Raw(b"null")), object)
            if not isinstance(cursor, str):
                return
            at = {**at, "cursor": cursor}

    def listen(self, query: Query, last_event_id: str | None) -> Generator[Event]:
        """Yield live events indefinitely; reconnect when needed. Raise APIError, Unreachable."""
        last, failures = last_event_id, 0
        while True:
            wait = self.retries.backoff(failures)
            try:
                with connect_sse(
                    self._http, "GET", "/v2/events", params=_query(query), timeout=SILENCE,
                    headers={"last-event-id": last} if last else {},
                ) as source:  # fmt: skip
                    if source.response.status_code != 200:
                        source.response.read()
                    _require_events(source.response)
                    for event in source.iter_sse():
                        last, failures, wait = event.id or last, 0, (event.retry or 1000) / 1000
                        if event.data:
                            yield _event(event)
            except httpx.TransportError as error:
                if failures >= self.retries.attempts:
                    raise self._unreachable(error) from None
            except APIError as error:
                if failures >= self.retries.attempts or error.status not in (429, 502, 503, 504):
                    raise
                wait = error.retry_after if error.retry_after is not None else wait
            failures += 1
            time.sleep(wait)

    def _with_retries(self, request: Request) -> httpx.Response:
        tried, may_be_done = 0, False
        while True:
            outcome = self._try_once(request)
            if may_be_done and request.method == "DELETE" and _status(outcome) == 404:
                return httpx.Response(204)  # the first response was lost: the resource is deleted already
            may_be_done |= _status(outcome) is None
            wait = self.retries.wait(request, outcome, tried)
            if wait is None:
                return self._successful(outcome)
            tried += 1
            time.sleep(wait)

    def _try_once(self, request: Request) -> httpx.Response | httpx.TransportError:
        try:
            return self._http.request(
                request.method, request.path, params=request.query, content=request.body, headers=request.headers
            )
        except httpx.TransportError as error:
            return error

    def _successful(self, outcome: httpx.Response | httpx.TransportError) -> httpx.Response:
        if isinstance(outcome, httpx.TransportError):
            raise self._unreachable(outcome) from None
        if outcome.status_code >= 400:
            raise error_for_status(outcome.status_code, outcome.content, retry_after(outcome))
        return outcome

    def _unreachable(self, error: httpx.TransportError) -> Unreachable:
        at = str(self._http.base_url).rstrip("/")
        return Unreachable(f"{at} cannot be reached: {str(error) or type(error).__name__}")


def _query(query: Query | None) -> dict[str, str]:
    """Return the query as strings, without what is None."""
    given = {name: value for name, value in (query or {}).items() if value is not None}
    return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in given.items()}


def _status(outcome: httpx.Response | httpx.TransportError) -> int | None:
    return outcome.status_code if isinstance(outcome, httpx.Response) else None


def _decoded(response: httpx.Response, kind: type[T]) -> T:
    if response.status_code >= 300:
        raise UnexpectedResponse(f"{response.url} returned HTTP {response.status_code}")
    return _read(response.content or b"null", kind)


def _read(content: bytes | msgspec.Raw, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(content, type=kind)
    except msgspec.DecodeError as error:
        raise UnexpectedResponse(f"the response is not from an Atrium server: {error}") from None


def _require_events(response: httpx.Response) -> None:
    if response.status_code >= 400:
        raise error_for_status(response.status_code, response.content, retry_after(response))
    if not response.headers.get("content-type", "").startswith("text/event-stream"):
        raise UnexpectedResponse(f"{response.url} did not return a stream of events")


def _event(event: ServerSentEvent) -> Event:
    return Event(event.id, event.event, _read(event.data.encode(), dict[str, Any]))
