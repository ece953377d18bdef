"""GitHub, GitLab and Bitbucket in one: their APIs for one repository, and Git, over TLS."""

import base64
import contextlib
import http.server
import json
import os
import re
import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.forges.bitbucket.contract import Exchange
from tests.sites.certificate import self_signed

ALIVE, BLIND, REVOKED, LIMITED = "tok-alive", "tok-blind", "tok-revoked", "tok-limited"
"""Tokens: one that may read, one that may not, one that is no more, one that asked too much."""
NOBODY = "0123456789" * 4
"""A commit that there is none of."""
_APIS = {"/api/v3": "github", "/api/v4": "gitlab", "/2.0": "bitbucket"}
_USERS = frozenset({"x-access-token", "oauth2", "x-token-auth", "x-bitbucket-api-token-auth"})


@dataclass
class Hosting:
    """What stands there, and what was asked of it."""

    folder: Path
    """Holds ``octo/shop.git``, bare."""
    authorities: Path
    """Its certificate."""
    url: str = ""
    default: str | None = "main"
    renamed_from: str = "octo/store"
    git_token: str = ALIVE
    """Whom Git is let in."""
    proposed: dict[int, tuple[str, str]] = field(default_factory=dict)
    """Pull requests: number → the branch it comes from, and the one that it wants into."""
    state: str = ""
    """Of a pull request, in its provider's own word."""
    trouble: bytes = b""
    """Answered in place of any JSON."""
    elsewhere: str = ""
    """Where everything is redirected to."""
    scopes: str | None = None
    """Of every token, separated by blanks; None where they are not told."""
    modern: bool = True
    """Whether Git hands out commits that no branch ends on."""
    stalled: threading.Event = field(default_factory=threading.Event)
    """Git's answers wait for it."""
    exchanges: list[tuple[str, Exchange]] = field(default_factory=list)
    """Provider's name and what went over the wire."""
    gits: list[str] = field(default_factory=list)
    """The user that Git came as, one entry a request; empty without any."""

    def git(self, *arguments: str) -> str:
        done = subprocess.run(
            ["git", "-C", self.folder / "octo" / "shop.git", *arguments],
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    def commit(self, name: str) -> str | None:
        with contextlib.suppress(subprocess.CalledProcessError):
            return self.git("rev-parse", "--verify", "-q", f"{name}^{{commit}}")
        return None


def mirrored(work: Path, bare: Path) -> Path:
    subprocess.run(["git", "clone", "-q", "--mirror", work, bare], check=True)
    return bare


@contextlib.contextmanager
def hosting(folder: Path, work: Path) -> Iterator[Hosting]:
    """``work``, a clone with branches or a mirror of one, as it is hosted below ``folder``."""
    bare = folder / "octo" / "shop.git"
    bare.parent.mkdir(parents=True)
    if work.suffix == ".git":
        shutil.copytree(work, bare)
    else:
        mirrored(work, bare)
    signed = self_signed()
    (folder / "host.pem").write_text(signed.chain)
    (folder / "key.pem").write_text(signed.key)
    state = Hosting(folder, folder / "host.pem")
    state.stalled.set()
    handler = type("OneHandler", (_Handler,), {"state": state})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "host.pem", folder / "key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    state.url = f"https://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield state
    finally:
        state.stalled.set()
        server.shutdown()
        server.server_close()


class _Refused(Exception):
    def __init__(self, status: int, **headers: str) -> None:
        super().__init__(status)
        self.status = status
        self.headers = headers


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    state: Hosting

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self._body())

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers["Content-Length"]))
        content = b""
        while size := int(self.rfile.readline(), 16):
            content += self.rfile.read(size)
            self.rfile.readline()
        return content

    def log_message(self, format: str, *arguments: object) -> None:
        """Silent."""

    def _answer(self, body: bytes) -> None:
        if self.state.elsewhere:
            self._send(302, b"", Location=f"{self.state.elsewhere}{self.path}")
            return
        api = next((one for one in _APIS if self.path.startswith(f"{one}/")), None)
        if api is None:
            self._git(body)
        else:
            self._api(api, _APIS[api])

    def _send(self, status: int, content: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)

    def _api(self, prefix: str, provider: str) -> None:
        split = urlsplit(self.path)
        path = split.path.removeprefix(prefix)
        status, headers, answer = self._told(provider, path, parse_qs(split.query))
        exchange = Exchange("GET", path, parse_qs(split.query), None, status, answer)
        self.state.exchanges.append((provider, exchange))
        content = self.state.trouble or json.dumps(answer).encode()
        self._send(status, content, **headers, Content_Type="application/json")

    def _told(
        self, provider: str, path: str, query: dict[str, list[str]]
    ) -> tuple[int, dict[str, str], Any]:
        try:
            self._admit()
            scopes = self.state.scopes
            told = {} if scopes is None or provider == "gitlab" else {"X-OAuth-Scopes": scopes}
            return 200, told, _TELLERS[provider](self.state, path, query)
        except _Refused as refusal:
            return refusal.status, refusal.headers, {"message": f"said {self._token()}"}

    def _admit(self) -> None:
        match self._token():
            case "tok-alive":
                return
            case "tok-blind":
                raise _Refused(404)
            case "tok-limited":
                raise _Refused(403, Retry_After="3600")
        raise _Refused(401)

    def _token(self) -> str:
        kind, _, value = self.headers.get("Authorization", "").partition(" ")
        plain = base64.b64decode(value).decode() if kind == "Basic" else value
        return plain.rpartition(":")[2]

    def _git(self, body: bytes) -> None:
        given = self.headers.get("Authorization", "")
        user = base64.b64decode(given.removeprefix("Basic ")).decode().partition(":")[0]
        self.state.gits.append(user)
        if user not in _USERS or self._token() != self.state.git_token:
            said = f"no {self._token()} here".encode()
            self._send(401, said, WWW_Authenticate="Basic", Content_Type="text/plain")
            return
        self.state.stalled.wait()
        done = subprocess.run(
            ["git", "http-backend"],
            input=body,
            env=self._variables(),
            capture_output=True,
            check=False,
        )
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        lines = dict(line.split(": ", 1) for line in head.decode().splitlines())
        status = int(lines.pop("Status", "200 OK").split()[0])
        self._send(status, content, **lines)

    def _variables(self) -> dict[str, str]:
        path, _, query = self.path.partition("?")
        return {
            "PATH": os.environ["PATH"],
            "GIT_PROJECT_ROOT": str(self.state.folder),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": unquote(path),
            "QUERY_STRING": query,
            "REQUEST_METHOD": self.command,
            "REMOTE_ADDR": "127.0.0.1",
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", "") if self.state.modern else "",
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "safe.directory",
            "GIT_CONFIG_VALUE_0": "*",
        }


def _github(state: Hosting, path: str, _: dict[str, list[str]]) -> Any:
    if path == "/":
        return {"current_user_url": f"{state.url}/api/v3/user"}
    if path == f"/repos/{state.renamed_from}":
        raise _Refused(301, Location=f"{state.url}/api/v3/repos/octo/shop")
    if path == "/repos/octo/shop":
        return {"full_name": "octo/shop", "default_branch": state.default}
    if found := re.fullmatch(r"/repos/octo/shop/branches/([^/]+)", path):
        return {"name": unquote(found[1]), "commit": {"sha": _tip(state, found[1])}}
    if found := re.fullmatch(r"/repos/octo/shop/compare/(\w+)\.\.\.(\w+)", path):
        commit, tip = _known(state, found[1]), _known(state, found[2])
        ahead = state.git("merge-base", commit, tip) == commit
        return {"status": "ahead" if ahead else "diverged"}
    if found := re.fullmatch(r"/repos/octo/shop/pulls/(\d+)", path):
        number, source, into = _proposed(state, found[1])
        sides = {"head": {"sha": _tip(state, source)}, "base": {"ref": into}}
        return {"number": number, "state": state.state or "open", **sides}
    raise _Refused(404)


def _gitlab(state: Hosting, path: str, query: dict[str, list[str]]) -> Any:
    if path in {"/personal_access_tokens/self", "/user"}:
        return _gitlab_token(state, path)
    project = re.fullmatch(r"/projects/([^/]+)(.*)", path)
    if project is None or unquote(project[1]) not in {"octo/shop", state.renamed_from}:
        raise _Refused(404)
    if unquote(project[1]) == state.renamed_from:
        raise _Refused(301, Location=f"{state.url}/api/v4/projects/octo%2Fshop")
    if not project[2]:
        return {"path_with_namespace": "octo/shop", "default_branch": state.default}
    if found := re.fullmatch(r"/repository/branches/([^/]+)", project[2]):
        return {"name": unquote(found[1]), "commit": {"id": _tip(state, found[1])}}
    if found := re.fullmatch(r"/merge_requests/(\d+)", project[2]):
        number, source, into = _proposed(state, found[1])
        said = {"iid": number, "state": state.state or "opened"}
        return {**said, "sha": _tip(state, source), "target_branch": into}
    if project[2] == "/repository/merge_base" and list(query) == ["refs[]"]:
        return {"id": state.git("merge-base", *(_known(state, one) for one in query["refs[]"]))}
    raise _Refused(404)


def _gitlab_token(state: Hosting, path: str) -> Any:
    if path == "/user":
        return {"id": 1}
    if state.scopes is None:  # a server of before knows nothing of it
        raise _Refused(404)
    return {"id": 1, "active": True, "scopes": state.scopes.split()}


def _bitbucket(state: Hosting, path: str, _: dict[str, list[str]]) -> Any:
    if path == "/user":
        return {"type": "user"}
    if path == f"/repositories/{state.renamed_from}":
        raise _Refused(301, Location=f"{state.url}/2.0/repositories/octo/shop")
    if path == "/repositories/octo/shop":
        main = {"type": "branch", "name": state.default} if state.default else None
        return {"type": "repository", "full_name": "octo/shop", "mainbranch": main}
    if found := re.fullmatch(r"/repositories/octo/shop/refs/branches/([^/]+)", path):
        target = {"type": "commit", "hash": _tip(state, found[1])}
        return {"type": "branch", "name": unquote(found[1]), "target": target}
    if found := re.fullmatch(r"/repositories/octo/shop/merge-base/(\w+)\.\.(\w+)", path):
        both = (_known(state, found[1]), _known(state, found[2]))
        return {"type": "commit", "hash": state.git("merge-base", *both)}
    if found := re.fullmatch(r"/repositories/octo/shop/pullrequests/(\d+)", path):
        number, source, into = _proposed(state, found[1])
        home = {"type": "repository", "full_name": "octo/shop"}
        commit = {"hash": _tip(state, source)[:12]}
        return {
            "type": "pullrequest",
            "id": number,
            "state": state.state or "OPEN",
            "source": {"commit": commit, "repository": home},
            "destination": {"branch": {"name": into}},
        }
    if found := re.fullmatch(r"/repositories/octo/shop/commit/(\w+)", path):
        return {"type": "commit", "hash": _known(state, found[1])}
    raise _Refused(404)


_TELLERS = {"github": _github, "gitlab": _gitlab, "bitbucket": _bitbucket}


def _proposed(state: Hosting, number: str) -> tuple[int, str, str]:
    if int(number) not in state.proposed:
        raise _Refused(404)
    return int(number), *state.proposed[int(number)]


def _tip(state: Hosting, quoted: str) -> str:
    return _known(state, f"refs/heads/{unquote(quoted)}")


def _known(state: Hosting, name: str) -> str:
    found = state.commit(name)
    if found is None:
        raise _Refused(404)
    return found
