"""The reference of the API: as OpenAPI for machines, as a page without scripts for people."""

import base64
import hashlib
import json
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from mergegate.core.render.templates import joined
from mergegate.host.api.problems import Code
from mergegate.host.causes import CAUSES

Json = Mapping[str, Any]
_FOLDER = Path(__file__).parent
_METHODS = ("get", "post", "delete")
_HOST = "https://HOST"
_KEY = '-H "X-API-Key: $MERGEGATE_API_KEY"'
_CODE = re.compile(r"(`{1,2})([^`]+)\1")
"""As Markdown and as docstrings have it."""


ANSWERS: Mapping[Code, str] = {code: code.remedy for code in Code}
"""Code of an answer → what to do."""


@dataclass(frozen=True, slots=True)
class Call:
    """One method of one path."""

    method: str
    """In lower case, as OpenAPI has it."""
    path: str
    operation: Json
    curl: str
    """For a terminal; ``HOST`` stands for the host."""

    @property
    def name(self) -> str:
        """Unique in the document."""
        return str(self.operation["operationId"])

    @property
    def tag(self) -> str:
        """What it belongs to."""
        return str(self.operation["tags"][0])


def reference_routes(document: Json) -> tuple[Route, ...]:
    """``/api/openapi.json`` and ``/api/docs``; both are made once."""
    text = json.dumps(document, indent=2)
    page, style = _page(document)
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; img-src data:; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    )

    async def openapi(_: Request) -> Response:
        return Response(text, media_type="application/json")

    async def docs(_: Request) -> Response:
        headers = {"Content-Security-Policy": policy}
        return Response(page, headers=headers, media_type="text/html")

    return Route("/api/openapi.json", openapi), Route("/api/docs", docs)


def _page(document: Json) -> tuple[str, str]:
    """The page, and the style in it."""
    style = "\n".join((joined(("report.css",)), (_FOLDER / "page.css").read_text("utf-8")))
    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "breakable": _breakable,
        "kind": _kind,
        "pretty": _pretty,
        "prose": _prose,
    }
    template = environment.get_template("page.html.j2")
    ours = Markup(style)  # noqa: S704 - files of this package
    values = {"api": document, "calls": calls(document), "answers": ANSWERS, "scans": CAUSES}
    return template.render(style=ours, **values), style


def calls(document: Json) -> tuple[Call, ...]:
    """All of them, as the document orders them."""
    return tuple(
        Call(method, path, item[method], _curl(method, path, item[method]))
        for path, item in document["paths"].items()
        for method in item
        if method in _METHODS
    )


def _curl(method: str, path: str, operation: Json) -> str:
    words = ["curl", *_options(method, operation)]
    asked = "&".join(f"{one['name']}=…" for one in _needed(operation))
    words.append(f'"{_HOST}{path}?{asked}"' if asked else f"{_HOST}{path}")
    return " ".join(words)


def _options(method: str, operation: Json) -> Iterator[str]:
    if method == "delete":
        yield "-X DELETE"
    if "security" in operation:
        yield _KEY
    body = operation.get("requestBody")
    if body is not None:
        yield '-H "Content-Type: application/json"'
        example = body["content"]["application/json"].get("example", {})
        yield f"-d {shlex.quote(json.dumps(example, ensure_ascii=False))}"


def _needed(operation: Json) -> Iterator[Json]:
    for one in operation.get("parameters", ()):
        if one["in"] == "query" and one.get("required"):
            yield one


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"sha256-{digest}"


def _prose(text: str) -> Markup:
    """The little Markdown that descriptions here hold: paragraphs, lists, code."""
    blocks = (block.strip() for block in text.split("\n\n"))
    return Markup("\n").join(_block(block) for block in blocks if block)


def _block(block: str) -> Markup:
    if not block.startswith("* "):
        return Markup("<p>{}</p>").format(_inline(block))
    items = re.split(r"(?:^|\n)\* ", block)[1:]
    return Markup("<ul>{}</ul>").format(
        Markup("").join(Markup("<li>{}</li>").format(_inline(item)) for item in items)
    )


def _inline(text: str) -> Markup:
    safe = str(escape(text.replace("\n", " ")))
    return Markup(_CODE.sub(r"<code>\2</code>", safe))  # noqa: S704 - escaped above


def _kind(schema: Json) -> Markup:
    """A type in words, with links to the shapes that it names."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return Markup('<a href="#schema-{}">{}</a>').format(name, name)
    if "anyOf" in schema:
        return Markup(" or ").join(map(_kind, schema["anyOf"]))
    if "enum" in schema:
        return Markup(", ").join(Markup("<code>{}</code>").format(one) for one in schema["enum"])
    if "const" in schema:
        return Markup("<code>{}</code>").format(schema["const"])
    if schema.get("type") == "array":
        return Markup("array of {}").format(_kind(schema.get("items", {})))
    return escape(schema.get("type", "anything"))


def _breakable(code: str) -> Markup:
    """A long name may be folded where its words meet, and nowhere else."""
    return Markup("_<wbr>").join(code.split("_"))


def _pretty(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
