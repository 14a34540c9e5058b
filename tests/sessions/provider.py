"""A real OpenID Connect provider on a socket, whose responses a test can modify."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import msgspec
import oidc_provider_mock
import werkzeug.serving

from tests.conftest import TLS

Tokens = dict[str, Any]


class Provider:
    """The provider: its users, its changes to issued tokens, and whether it answers at all."""

    def __init__(self, **options: Any) -> None:
        self._inner = oidc_provider_mock.app(**options)
        self.tamper: Callable[[Tokens], Tokens] | None = None
        self.disguise: Callable[[Tokens], Tokens] | None = None
        self.key_set: Callable[[Tokens], Tokens] | None = None
        self.broken = False
        self.url = ""
        self.requested_paths: list[str] = []

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        """Answer a request (WSGI)."""
        path = environ["PATH_INFO"]
        self.requested_paths.append(path)
        if self.broken:
            start_response("500 Broken", [("content-type", "text/plain")])
            return [b"broken"]
        tamper = {
            "/oauth2/token": self.tamper,
            "/.well-known/openid-configuration": self.disguise,
            "/jwks": self.key_set,
        }.get(path)
        if tamper is None:
            return self._inner(environ, start_response)
        begun: list[Any] = []
        whole = b"".join(self._inner(environ, lambda *given: begun.append(given)))
        body = msgspec.json.encode(tamper(msgspec.json.decode(whole)))
        start_response(begun[0][0], [("content-type", "application/json"), ("content-length", str(len(body)))])
        return [body]

    def put_user(self, sub: str, **claims: Any) -> None:
        """Add a user with the provider's claims about them."""
        httpx.put(f"{self.url}/users/{sub}", json=claims, timeout=60, verify=TLS).raise_for_status()

    def tokens_for(self, client_id: str, sub: str, nonce: str) -> Tokens:
        """Return the tokens that the provider issues to any client."""
        back = "http://other.test/back"
        query = {"client_id": client_id, "response_type": "code", "scope": "openid email", "nonce": nonce}
        came = httpx.post(
            f"{self.url}/oauth2/authorize",
            params={**query, "redirect_uri": back},
            data={"sub": sub},
            timeout=60,
            verify=TLS,
        )
        code = parse_qs(urlsplit(came.headers["location"]).query)["code"][0]
        tamper, self.tamper = self.tamper, None
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": back}
        tokens = httpx.post(
            f"{self.url}/oauth2/token", data=form, auth=(client_id, "secret"), timeout=60, verify=TLS
        ).json()
        self.tamper = tamper
        return dict(tokens)


@contextmanager
def running_provider(*, max_age: timedelta = timedelta(hours=1)) -> Iterator[Provider]:
    """Run the provider."""
    provider = Provider(access_token_max_age=max_age, require_nonce=True)
    server = werkzeug.serving.make_server("localhost", 0, provider, threaded=True)
    provider.url = f"http://localhost:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)
