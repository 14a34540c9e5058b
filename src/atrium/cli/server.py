"""An Atrium server, as a command asks it over HTTP."""

from typing import Any, Self, TypeVar

import httpx
import msgspec

from atrium.cli.refusal import Refusal

LATER = (429, 500, 502, 503, 504)
T = TypeVar("T")


class Problem(msgspec.Struct):
    """What a server says about a request that it refuses."""

    code: str = ""
    title: str = ""
    detail: str | None = None


class Refused(Refusal):
    """The server's answer was not a success; `code` is its problem's."""

    def __init__(self, text: str, code: str) -> None:
        super().__init__(text)
        self.code = code


class Away(Refusal):
    """The server cannot be reached, or not now."""


class Server:
    """The Atrium server, as the owner of the key sees it."""

    def __init__(self, url: str, key: str) -> None:
        self._client = httpx.AsyncClient(base_url=url, headers={"authorization": f"Bearer {key}"}, timeout=30)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def ask(self, method: str, path: str, kind: type[T], **request: Any) -> T:
        """The decoded answer. Raises Away, or Refused."""
        try:
            response = await self._client.request(method, path, **request)
        except httpx.TransportError as error:
            at = str(self._client.base_url).rstrip("/")
            raise Away(f"{at} cannot be reached: {str(error) or type(error).__name__}") from None
        if not response.is_success:
            raise _refusal(response)
        try:
            return msgspec.json.decode(response.content or b"null", type=kind)
        except msgspec.DecodeError as error:
            raise Refusal(f"{response.url} does not answer as Atrium does: {error}") from None


def _refusal(response: httpx.Response) -> Refusal:
    try:
        problem = msgspec.json.decode(response.content, type=Problem)
    except msgspec.DecodeError:
        problem = Problem(title=response.text[:200])
    said = problem.detail or problem.title
    if response.status_code in LATER:
        return Away(f"{response.url.copy_with(query=None)} answered {response.status_code}: {said}")
    match response.status_code:
        case 401:
            said = "the key is not accepted: it is mistyped, expired or revoked"
        case 403:
            said = f"the key's owner may not do this: {said}"
        case 404:
            said = f"{said}, or the key does not reach it"
        case status:
            said = f"{response.url.copy_with(query=None)} answered {status}: {said}"
    return Refused(said, problem.code)
