"""What opens Search Console: an access token, or a key that gets one; never shown, never kept."""

import base64
import datetime as dt
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from mergegate.core.errors import UsageError

SCOPE = "https://www.googleapis.com/auth/webmasters.readonly"
_LONGEST = 64 * 1024
_LIFE = dt.timedelta(hours=1)
"""The longest that Google lets an assertion live."""
_TOKEN_LETTERS = r"[!-~]{8,4096}"


@dataclass(frozen=True, slots=True)
class AccessToken:
    """A ready token; it holds for an hour."""

    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class RefreshToken:
    """What ``gcloud auth application-default login`` writes."""

    client_id: str
    client_secret: str = field(repr=False)
    refresh_token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ServiceAccount:
    """A key file of Google Cloud."""

    email: str
    key: RSAPrivateKey = field(repr=False)


Access: TypeAlias = AccessToken | RefreshToken | ServiceAccount


class _ServiceAccountFile(BaseModel):
    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    client_email: str = Field(max_length=320)
    private_key: str


class _AuthorizedUserFile(BaseModel):
    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    client_id: str
    client_secret: str
    refresh_token: str


_KEY_FILE: TypeAdapter[_ServiceAccountFile | _AuthorizedUserFile] = TypeAdapter(
    _ServiceAccountFile | _AuthorizedUserFile, config=ConfigDict(hide_input_in_errors=True)
)


def read_access(text: str) -> Access:
    """An access token, or a key file's JSON: of a service account, or with a refresh token.

    Raises UsageError, which repeats nothing of ``text``. The address that a key file names for
    getting tokens is not read: a key goes to Google alone.
    """
    given = text.strip()
    if not given.startswith("{"):
        return _token(given)
    if len(given) > _LONGEST:
        raise _wrong("the key file is too large")
    try:
        file = _KEY_FILE.validate_json(given)
    except ValidationError:
        # What pydantic says may quote the key, and so may whatever shows the cause.
        raise _wrong(
            "the key file is none of a service account, and holds no refresh token"
        ) from None
    if isinstance(file, _AuthorizedUserFile):
        return RefreshToken(file.client_id, file.client_secret, file.refresh_token)
    return ServiceAccount(file.client_email, _key(file.private_key))


def token_request(
    access: RefreshToken | ServiceAccount, token_url: str, now: dt.datetime
) -> dict[str, str]:
    """The form that is sent to ``token_url`` for an access token (RFC 6749, 6; RFC 7523, 2.1)."""
    if isinstance(access, RefreshToken):
        return {
            "grant_type": "refresh_token",
            "client_id": access.client_id,
            "client_secret": access.client_secret,
            "refresh_token": access.refresh_token,
        }
    return {
        "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer",
        "assertion": _assertion(access, token_url, now),
    }


def _assertion(account: ServiceAccount, audience: str, now: dt.datetime) -> str:
    """A JSON Web Token, signed with RS256 (RFC 7515)."""
    claims: dict[str, str | int] = {
        "iss": account.email,
        "scope": SCOPE,
        "aud": audience,
        "iat": int(now.timestamp()),
        "exp": int((now + _LIFE).timestamp()),
    }
    signed = f"{_packed({'alg': 'RS256', 'typ': 'JWT'})}.{_packed(claims)}"
    signature = account.key.sign(signed.encode("ascii"), PKCS1v15(), hashes.SHA256())
    return f"{signed}.{_base64(signature)}"


def _packed(part: Mapping[str, str | int]) -> str:
    return _base64(json.dumps(part, separators=(",", ":")).encode())


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def _token(given: str) -> AccessToken:
    if not re.fullmatch(_TOKEN_LETTERS, given):
        raise _wrong("it is neither an access token nor the JSON of a key file")
    return AccessToken(given)


def _key(pem: str) -> RSAPrivateKey:
    try:
        key = load_pem_private_key(pem.encode(), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise _wrong("the private key in the key file cannot be read") from None
    if not isinstance(key, RSAPrivateKey):
        raise _wrong("the private key in the key file is not RSA")
    return key


def _wrong(why: str) -> UsageError:
    return UsageError(
        f"this does not open Search Console: {why}",
        remedy="Give the JSON key file of a service account that may read the property.",
    )
