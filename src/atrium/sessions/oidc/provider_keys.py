"""Check the signature of an id token with the keys that the provider publishes (RFC 7517)."""

from collections.abc import Iterator
from typing import Any

from joserfc import jws, jwt
from joserfc.errors import BadSignatureError, JoseError
from joserfc.jwk import JWKRegistry, Key
from joserfc.jwt import Token

# Signed with the provider's private key; never with a shared secret, and never unsigned.
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
KEY_TYPES = ("RSA", "EC", "OKP")
NOT_USABLE = (JoseError, KeyError, TypeError, ValueError, AttributeError)  # what the library raises for a key


def verified_token(text: str, key_set: Any) -> Token:
    """Return the token if one of the provider's keys signed it. Raise JoseError, or ValueError if it is no token.

    A key that is not understood does not hinder the others (section 5). Two keys may have the same id (section 4.5),
    and a key may have none.
    """
    wanted = jws.extract_compact(text.encode()).headers().get("kid")
    keys = [each for each in key_set["keys"] if isinstance(each, dict) and each.get("use") != "enc"]
    named = [each for each in keys if wanted is None or each.get("kid") == wanted]
    for key in _understood(named or [each for each in keys if "kid" not in each]):
        try:
            return jwt.decode(text, key, algorithms=ALGORITHMS)
        except NOT_USABLE:  # a key for another algorithm, or not the one that signed this
            continue
    raise BadSignatureError


def _understood(keys: list[dict[str, Any]]) -> Iterator[Key]:
    for each in keys:
        try:
            if each.get("kty") in KEY_TYPES:
                yield JWKRegistry.import_key(each)
        except NOT_USABLE:
            continue
