"""Every request against GitHub's own description of its API, and every answer of our stand-in."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import urlsplit

import requests
from graphql import GraphQLSchema, build_schema, parse, validate
from openapi_core import OpenAPI
from openapi_core.contrib.requests import RequestsOpenAPIRequest
from openapi_schema_validator import OAS30Validator

FOLDER = Path(__file__).parents[2] / "contracts" / "github"
API = "https://api.github.com"


@cache
def specification() -> dict[str, Any]:
    """The description; a field that it does not name is a mistake here, not an extension."""
    whole: dict[str, Any] = json.loads(FOLDER.joinpath("openapi.json").read_text())
    for path in whole["paths"].values():
        for operation in path.values():
            for body in operation.get("requestBody", {}).get("content", {}).values():
                _close(body["schema"])
    return whole


@cache
def schema() -> GraphQLSchema:
    return build_schema(FOLDER.joinpath("schema.graphql").read_text())


@contextmanager
def kept(api_url: str) -> Iterator[list[str]]:
    """While it lasts, a request that GitHub would not take fails the test; yields the requests."""
    send, seen = requests.Session.send, []

    def strictly(
        session: requests.Session, request: requests.PreparedRequest, **options: Any
    ) -> requests.Response:
        seen.append(f"{request.method} {urlsplit(request.url or '').path}")
        if str(request.url).endswith("/graphql"):
            check_graphql(json.loads(request.body or ""))  # type: ignore[arg-type]
            return send(session, request, **options)
        check_request(request, api_url)
        response = send(session, request, **options)
        _check_answer(request, response)
        return response

    with patch.object(requests.Session, "send", strictly):
        yield seen


@cache
def checker() -> OpenAPI:
    return OpenAPI.from_dict(specification())


def check_request(request: requests.PreparedRequest, api_url: str) -> None:
    """Raises unless GitHub documents a request like this one."""
    as_sent = request.copy()
    as_sent.url = str(request.url).replace(api_url, API, 1)
    checker().validate_request(RequestsOpenAPIRequest(as_sent))


def check_graphql(asked: dict[str, Any]) -> None:
    """Raises unless the document is valid for GitHub's schema."""
    errors = validate(schema(), parse(asked["query"]))
    assert not errors, errors


def _check_answer(request: requests.PreparedRequest, response: requests.Response) -> None:
    """What the stand-in says must have GitHub's types; that it says less is its purpose."""
    if response.ok and response.content and "X-Trouble" not in response.headers:
        template = _template(urlsplit(request.url or "").path)
        _shape(template, str(request.method).lower(), response.status_code).validate(
            response.json()
        )


@cache
def _shape(template: str, verb: str, status: int) -> OAS30Validator:
    answers = specification()["paths"][template][verb]["responses"]
    assert str(status) in answers, f"{verb} {template} never answers {status}"
    shape = answers[str(status)]["content"]["application/json"]["schema"]
    components = _loose(specification()["components"])
    return OAS30Validator({**_loose(shape), "components": components})


def _template(path: str) -> str:
    parts = path[re.search(r"/(?:repos|app)/", path).start() :].split("/")  # type: ignore[union-attr]

    def fits(template: str) -> bool:
        named = template.split("/")
        pairs = zip(named, parts, strict=False)
        return len(named) == len(parts) and all(n[:1] == "{" or n == part for n, part in pairs)

    templates: list[str] = list(filter(fits, specification()["paths"]))
    return min(templates, key=lambda one: one.count("{"))


def _loose(value: Any, is_named: bool = False) -> Any:
    if isinstance(value, list):
        return [_loose(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _loose(one, key == "properties")
        for key, one in value.items()
        if is_named or key != "required"
    }


def _close(shape: dict[str, Any]) -> None:
    if shape.get("type") == "object" and "properties" in shape:
        shape.setdefault("additionalProperties", False)
    for one in (*shape.get("properties", {}).values(), *filter(None, [shape.get("items")])):
        _close(one)
