"""A GitHub App's token is asked for as GitHub describes it, for one repository alone."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from mergegate.core.errors import ForgeError, NotAllowed, UsageError
from mergegate.forges.github.app import check_key, installation_token
from tests.forges.github.contract import kept

KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
PEM = KEY.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption()).decode()
GIVEN = {
    "token": "ghs_1",
    "expires_at": "2026-03-04T13:00:00Z",
    "permissions": {"checks": "write"},
    "repository_selection": "selected",
}


@dataclass
class Counter:
    """Where tokens are handed out."""

    status: int = 201
    said: Any = field(default_factory=lambda: dict(GIVEN))
    grants: str = "write"
    """What the installation grants of contents."""
    asked: list[tuple[str, str, Any]] = field(default_factory=list)
    """Path, authorization and body of each request."""


@contextmanager
def serving(counter: Counter) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            counter.asked.append((self.path, self.headers["Authorization"], body))
            beyond = (body["permissions"]["contents"], counter.grants) == ("write", "read")
            content = json.dumps(counter.said).encode()
            self.send_response(422 if beyond else counter.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/api/v3"
        server.shutdown()


def token(api_url: str, private_key: str = PEM, *, may_commit: bool = False) -> str:
    return installation_token(
        may_commit=may_commit,
        app_id=12,
        private_key=private_key,
        installation=77,
        repository="acme/shop",
        api_url=api_url,
    )


def test_a_token_is_asked_for_as_github_describes_it() -> None:
    counter = Counter()
    with serving(counter) as api_url, kept(api_url) as requests:
        assert token(api_url) == "ghs_1"
    assert requests == ["POST /api/v3/app/installations/77/access_tokens"]
    assert counter.asked[0][2]["repositories"] == ["shop"]


@pytest.mark.parametrize(("grants", "asked"), [("write", ["write"]), ("read", ["write", "read"])])
def test_the_right_to_commit_is_asked_for_where_it_is_wanted_and_granted(
    grants: str, asked: list[str]
) -> None:
    counter = Counter(grants=grants)
    with serving(counter) as api_url, kept(api_url):
        assert token(api_url, may_commit=True) == "ghs_1"
    assert [one[2]["permissions"]["contents"] for one in counter.asked] == asked
    counter = Counter(grants=grants)
    with serving(counter) as api_url:
        token(api_url)
    assert [one[2]["permissions"]["contents"] for one in counter.asked] == ["read"]


def test_the_app_proves_who_it_is_for_ten_minutes_at_most() -> None:
    counter = Counter()
    with serving(counter) as api_url:
        token(api_url)
    proof = counter.asked[0][1].removeprefix("Bearer ")
    said = jwt.decode(proof, KEY.public_key(), algorithms=["RS256"])
    assert str(said["iss"]) == "12"
    assert said["exp"] - time.time() <= 600


@pytest.mark.parametrize("status", [401, 403, 404, 422])
def test_an_app_that_is_not_there_is_told_so(status: int) -> None:
    with serving(Counter(status, {"message": "no"})) as api_url, pytest.raises(NotAllowed):
        token(api_url)


@pytest.mark.parametrize(("status", "said"), [(500, {}), (201, {}), (201, []), (201, {"token": 1})])
def test_an_odd_answer_is_no_token(status: int, said: Any) -> None:
    with serving(Counter(status, said)) as api_url, pytest.raises(ForgeError):
        token(api_url)


def test_a_silent_server_is_named() -> None:
    with serving(Counter()) as api_url:
        pass
    with pytest.raises(ForgeError, match="did not answer"):
        token(api_url)


@pytest.mark.parametrize("key", ["", "x", PEM[:200], PEM.replace("RSA PRIVATE", "EC PRIVATE")])
def test_a_key_that_is_none_is_refused_without_its_text(key: str) -> None:
    with pytest.raises(UsageError) as refused:
        check_key(12, key)
    assert "BEGIN" not in str(refused.value)
