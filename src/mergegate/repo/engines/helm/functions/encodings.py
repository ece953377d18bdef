"""YAML, JSON, Base64, digests and addresses."""

import base64
import hashlib
import json
import zlib
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit, urlunsplit

from mergegate.repo.engines.helm.functions.texts import text
from mergegate.repo.engines.helm.values import UNKNOWN, is_open, read, written
from mergegate.repo.engines.terraform.values import Budget

_STEPS = 50_000
"""Values of one text that is read."""


def _yaml(value: object) -> str:
    return written(value)


def _from_yaml(value: object) -> object:
    if value is UNKNOWN:
        return UNKNOWN
    return read(text(value), Budget(_STEPS)) or {}


def _from_yaml_list(value: object) -> object:
    if value is UNKNOWN:
        return UNKNOWN
    return read(text(value), Budget(_STEPS)) or []


def _json(value: object) -> object:
    if is_open(value):
        return UNKNOWN
    return json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False)


def _pretty(value: object) -> str:
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False)


def _decoded(value: object) -> str:
    return base64.b64decode(text(value), validate=True).decode()


def _address(value: object) -> dict[str, object]:
    parts = urlsplit(text(value))
    user, at, host = parts.netloc.rpartition("@")
    return {
        "scheme": parts.scheme,
        "host": host,
        "hostname": parts.hostname or "",
        "path": parts.path,
        "query": parts.query,
        "opaque": "",
        "fragment": parts.fragment,
        "userinfo": user if at else "",
    }


def _joined(parts: Mapping[str, str]) -> str:
    user = f"{parts['userinfo']}@" if parts.get("userinfo") else ""
    place = (parts.get("scheme", ""), user + parts.get("host", ""), parts.get("path", ""))
    return urlunsplit((*place, parts.get("query", ""), parts.get("fragment", "")))


KNOWING: Mapping[str, Callable[..., object]] = {
    "toPrettyJson": _pretty,
    "mustToPrettyJson": _pretty,
    "b64enc": lambda value: base64.b64encode(text(value).encode()).decode(),
    "b64dec": _decoded,
    "b32enc": lambda value: base64.b32encode(text(value).encode()).decode(),
    "b32dec": lambda value: base64.b32decode(text(value)).decode(),
    "sha256sum": lambda value: hashlib.sha256(text(value).encode()).hexdigest(),
    "sha512sum": lambda value: hashlib.sha512(text(value).encode()).hexdigest(),
    "sha1sum": lambda value: hashlib.sha1(text(value).encode()).hexdigest(),  # noqa: S324 - as Sprig
    "adler32sum": lambda value: str(zlib.adler32(text(value).encode())),
    "urlParse": _address,
    "urlJoin": _joined,
}
WRITING: Mapping[str, Callable[..., object]] = {
    "toYaml": _yaml,
    "mustToYaml": _yaml,
    "toYamlPretty": _yaml,
    "fromYaml": _from_yaml,
    "fromYamlArray": _from_yaml_list,
    "fromJson": _from_yaml,
    "fromJsonArray": _from_yaml_list,
    "mustFromJson": _from_yaml,
    "toJson": _json,
    "mustToJson": _json,
    "toRawJson": _json,
    "mustToRawJson": _json,
}
