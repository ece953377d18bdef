"""One forge behind one TLS address: Git, what a change is located by, and a stand-in behind it."""

import base64
import http.server
import json
import os
import re
import ssl
import subprocess
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from tests.ci.jobs.clones import Clone
from tests.sites.certificate import self_signed

Told = Callable[[str, str], Any]
"""Method and path below the API → the answer; None: the stand-in knows better."""
_APIS = ("/api/", "/2.0/")
_PASSED_ON = frozenset({"authorization", "private-token", "content-type", "accept"})


@dataclass(frozen=True)
class Passed:
    """A request that the stand-in answered."""

    method: str
    path: str
    """With its query."""
    headers: Mapping[str, str]
    body: bytes


@dataclass
class Front:
    """What stands there."""

    folder: Path
    repository: str
    clone: Clone
    token: str
    """Whom Git lets in; the stand-in has its own mind."""
    behind: str = ""
    """The stand-in's address, without the path of its API."""
    told: Told = lambda _method, _path: None
    url: str = ""
    gits: list[str] = field(default_factory=list)
    """The user and word that Git came with, an entry each time."""
    passed: list[Passed] = field(default_factory=list)
    closed: bool = False
    """Whether whatever would be passed on is refused."""


@dataclass
class Street:
    """An address at which one front after the other stands."""

    folder: Path
    url: str = ""
    front: Front | None = None

    @property
    def authorities(self) -> Path:
        return self.folder / "host.pem"

    @contextmanager
    def shows(self, front: Front) -> Iterator[None]:
        """Serve it while the block lasts."""
        bare = front.folder / f"{front.repository}.git"
        bare.parent.mkdir(parents=True)
        bare.symlink_to(front.clone.root / ".git")
        front.url, self.front = self.url, front
        try:
            yield
        finally:
            self.front = None


@contextmanager
def street(folder: Path) -> Iterator[Street]:
    """Nothing stands there yet."""
    made, signed = Street(folder), self_signed()
    made.authorities.write_text(signed.chain)
    (folder / "key.pem").write_text(signed.key)
    handler = type("OneHandler", (_Handler,), {"street": made})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made.authorities, folder / "key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    made.url = f"https://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    street: Street

    @property
    def front(self) -> Front:
        assert self.street.front, "nobody is asked between two tests"
        return self.street.front

    def log_message(self, format: str, *arguments: object) -> None:
        """Silent."""

    def _serve(self) -> None:
        body = self._body()
        if self.path.startswith(_APIS):
            self._api(body)
        else:
            self._git(body)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _serve  # noqa: N815

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        content = b""
        while size := int(self.rfile.readline(), 16):
            content += self.rfile.read(size)
            self.rfile.readline()
        return content

    def _send(self, status: int, content: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def _api(self, body: bytes) -> None:
        path = re.sub(r"^(?:/api/v\d|/2\.0)", "", urlsplit(self.path).path)
        answer = self.front.told(self.command, path)
        if answer is None:
            self._pass_on(body)
            return
        status = 201 if self.command == "POST" else 200
        self._send(status, json.dumps(answer).encode(), {"Content-Type": "application/json"})

    def _pass_on(self, body: bytes) -> None:
        if self.front.closed:
            self._send(403, b'{"message": "not now"}', {"Content-Type": "application/json"})
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.front.passed.append(Passed(self.command, self.path, headers, body))
        asked = urllib.request.Request(
            f"{self.front.behind}{self.path}", body or None, method=self.command
        )
        for name in _PASSED_ON & headers.keys():
            asked.add_header(name, headers[name])
        try:
            with urllib.request.urlopen(asked) as found:
                status, content, said = found.status, found.read(), found.headers
        except urllib.error.HTTPError as error:
            status, content, said = error.code, error.read(), error.headers
        self._send(status, content, {"Content-Type": said.get("Content-Type") or "text/plain"})

    def _git(self, body: bytes) -> None:
        given = self.headers.get("Authorization", "").removeprefix("Basic ")
        user, _, word = base64.b64decode(given).decode().partition(":")
        self.front.gits.append(user)
        if word != self.front.token:
            self._send(401, b"", {"WWW-Authenticate": "Basic"})
            return
        done = subprocess.run(
            ["git", "http-backend"], input=body, env=self._variables(), capture_output=True,
            check=False,
        )  # fmt: skip
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        lines = dict(line.split(": ", 1) for line in head.decode().splitlines())
        status = int(lines.pop("Status", "200 OK").split()[0])
        self._send(status, content, lines)

    def _variables(self) -> dict[str, str]:
        path, _, query = self.path.partition("?")
        return {
            "PATH": os.environ["PATH"],
            "GIT_PROJECT_ROOT": str(self.front.folder),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": unquote(path),
            "QUERY_STRING": query,
            "REQUEST_METHOD": self.command,
            "REMOTE_ADDR": "127.0.0.1",
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "safe.directory",
            "GIT_CONFIG_VALUE_0": "*",
        }


def github(front: Front) -> Told:
    """What GitHub says besides: the repository, its branches, the pull request, a token."""

    def told(_: str, path: str) -> Any:
        here, clone = f"/repos/{front.repository}", front.clone
        home = {"full_name": front.repository}
        sides = {"head": {"sha": clone.head, "ref": "topic", "repo": home}}
        sides |= {"base": {"sha": clone.main, "ref": "main"}}
        known: dict[str, Any] = {
            here: {**home, "default_branch": "main", "node_id": "R_acme_shop"},
            f"{here}/branches/main": {"commit": {"sha": clone.main}},
            f"{here}/pulls/7": {"number": 7, **sides},
            "/app/installations/77/access_tokens": {"token": front.token},
        }
        return known.get(path)

    return told


def gitlab(front: Front) -> Told:
    """What GitLab says besides: the project, its branches, the branch that is merged into."""

    def told(_: str, path: str) -> Any:
        clone = front.clone
        here = f"/projects/{front.repository.replace('/', '%2F')}"
        known: dict[str, Any] = {
            here: {"path_with_namespace": front.repository, "default_branch": "main"},
            f"{here}/repository/branches/main": {"commit": {"id": clone.main}},
            f"{here}/merge_requests/7": {
                "id": 1,
                "iid": 7,
                "sha": clone.head,
                "target_branch": "main",
                "diff_refs": {
                    "base_sha": clone.fork,
                    "start_sha": clone.fork,
                    "head_sha": clone.head,
                },
            },
        }
        return known.get(path)

    return told


def bitbucket(front: Front) -> Told:
    """What Bitbucket says besides: the repository, its branches, both sides of the change."""

    def told(_: str, path: str) -> Any:
        here, clone = f"/repositories/{front.repository}", front.clone
        home = {"type": "repository", "full_name": front.repository}
        known: dict[str, Any] = {
            here: {**home, "mainbranch": {"name": "main"}},
            f"{here}/refs/branches/main": {"target": {"hash": clone.main}},
            f"{here}/pullrequests/7": {
                "type": "pullrequest",
                "id": 7,
                "source": {"commit": {"hash": clone.head[:12]}, "repository": home},
                "destination": {"branch": {"name": "main"}},
            },
        }
        return known.get(path)

    return told
