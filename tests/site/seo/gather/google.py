"""A stand-in for Google: it takes and gives what the published description of its API allows."""

import base64
import contextlib
import datetime as dt
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote

import jsonschema
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15

from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.egress.server import egress
from mergegate.site.seo.facts import SearchConsole
from mergegate.site.seo.gather import Console, read_access
from mergegate.site.seo.gather.console import SCOPE
from tests.site.seo.gather.site import NOW

CONTRACT = Path(__file__).parents[3] / "contracts" / "search-console-v1.json"
PAGE = "https://www.example.org/lanterns"
TOKEN = "ya29.made-up-for-a-test"
EMAIL = "reader@example-project.iam.gserviceaccount.com"


@dataclass
class Google:
    """What it knows, and what it was asked."""

    sites: Any = ({"siteUrl": "sc-domain:example.org", "permissionLevel": "siteFullUser"},)
    rows: Any = ()
    total: Any = None
    status: Any = field(default_factory=dict)
    """``IndexStatusInspectionResult``."""
    refuses: dict[str, int] = field(default_factory=dict)
    """Method → status."""
    says: dict[str, bytes] = field(default_factory=dict)
    """Method → body, whatever the description says."""
    asked: list[tuple[str, str, Any]] = field(default_factory=list)
    """Method, property, question."""
    port: int = 0
    now: dt.datetime | None = NOW
    """What its clock says; None: what ours does."""

    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def questions(self, method: str) -> list[Any]:
        return [question for name, _, question in self.asked if name == method]


@cache
def contract() -> Any:
    return json.loads(CONTRACT.read_text(encoding="utf-8"))


@cache
def _definitions() -> Any:
    """The description's schemas as JSON schemas that allow nothing else."""
    text = json.dumps(contract()["schemas"])
    for name in contract()["schemas"]:
        text = text.replace(f'"$ref": "{name}"', f'"$ref": "#/definitions/{name}"')
    return {
        name: {**schema, "additionalProperties": False} for name, schema in json.loads(text).items()
    }


def fits(value: Any, schema: str) -> None:
    """Raises ValidationError when ``value`` is none of ``schema``."""
    jsonschema.validate(value, {"$ref": f"#/definitions/{schema}", "definitions": _definitions()})


@cache
def service_account() -> str:
    """A key file as Google Cloud writes it."""
    key = _key().private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return json.dumps(
        {
            "type": "service_account",
            "client_email": EMAIL,
            "private_key": key.decode(),
            "token_uri": "https://evil.example/token",
        }
    )


@cache
def _key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 2048)


class _Handler(BaseHTTPRequestHandler):
    google: Google

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        method, site = self._method()
        question = json.loads(body) if body and method != "token" else body
        self.google.asked.append((method, site, question))
        status = self.google.refuses.get(method, 200)
        if status == 200 and method != "token":
            assert self.headers["Authorization"] == f"Bearer {TOKEN}"
        answer = self.google.says.get(method) or json.dumps(self._told(method, question)).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=UTF-8")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST = _answer  # noqa: N815

    def _method(self) -> tuple[str, str]:
        """By the paths of the description."""
        if self.path == "/token":
            return "token", ""
        for name, told in contract()["methods"].items():
            before, _, after = ("/" + told["path"]).partition("{siteUrl}")
            fits_here = self.path.startswith(before) and self.path.endswith(after)
            if told["httpMethod"] == self.command and fits_here and after:
                return name, unquote(self.path[len(before) : -len(after)])
            if told["httpMethod"] == self.command and self.path == before:
                return name, ""
        raise AssertionError(self.path)

    def _told(self, method: str, question: Any) -> Any:
        answers: dict[str, Callable[[Any], Any]] = {
            "token": self._token,
            "sites.list": lambda _: {"siteEntry": [*self.google.sites]},
            "searchanalytics.query": self._figures,
            "urlInspection.index.inspect": lambda _: {
                "inspectionResult": {"indexStatusResult": dict(self.google.status)}
            },
        }
        told = contract()["methods"].get(method, {})
        if "request" in told:
            fits(question, told["request"]["$ref"])
        return answers[method](question)

    def _figures(self, question: Any) -> Any:
        if question.get("dimensions"):
            answer: Mapping[str, Any] = {"rows": [*self.google.rows]}
        else:
            answer = {"rows": [self.google.total]} if self.google.total else {}
        fits(answer, "SearchAnalyticsQueryResponse")
        return answer

    def _token(self, body: bytes) -> Any:
        form = {name: values[0] for name, values in parse_qs(body.decode()).items()}
        if form["grant_type"] == "refresh_token":
            assert form["refresh_token"] == "1//made-up"
        else:
            _judge(form["assertion"], f"{self.google.base()}/token", self.google.now)
        return {"access_token": TOKEN, "expires_in": 3599, "token_type": "Bearer"}

    def log_message(self, format: str, *args: object) -> None:
        pass


def _judge(assertion: str, audience: str, now: dt.datetime | None) -> None:
    """As Google does: signature, audience, scope, and a life of an hour at most."""
    head, body, signature = (
        base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)) for part in assertion.split(".")
    )
    signed = assertion.rpartition(".")[0].encode()
    _key().public_key().verify(signature, signed, PKCS1v15(), hashes.SHA256())
    claims = json.loads(body)
    assert json.loads(head) == {"alg": "RS256", "typ": "JWT"}
    assert claims["aud"] == audience
    assert (claims["iss"], claims["scope"]) == (EMAIL, SCOPE)
    assert SCOPE in contract()["auth"]["oauth2"]["scopes"]
    late_s = (now or dt.datetime.now(dt.UTC)).timestamp() - claims["iat"]
    assert 0 <= late_s < (1 if now else 60)
    assert 0 < claims["exp"] - claims["iat"] <= 3600


@contextlib.contextmanager
def serving(google: Google) -> Iterator[str]:
    """The address of a way out that leads to ``google``."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"google": google}))
    google.port = server.server_port
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        with egress(Policy(allowed=frozenset({("127.0.0.1", google.port)}))) as way:
            yield way.url
    finally:
        server.shutdown()
        server.server_close()


def look(google: Google, key: str = TOKEN, *, at: str = "", most_s: float = 20.0) -> SearchConsole:
    """What the console answers about the page for ``key``; ``at`` is another address."""
    with serving(google) as proxy:
        console = Console(
            read_access(key),
            proxy,
            google=at or google.base(),
            tokens=f"{google.base()}/token",
            most_s=most_s,
        )
        return console.look(PAGE, NOW)
