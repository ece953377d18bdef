"""Origins to clone from: a repository with a change, and a server that speaks Git's http."""

import contextlib
import http.server
import os
import ssl
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.sandbox.git.test_repository import git


@dataclass(frozen=True)
class Home:
    """A repository as a forge keeps it: a branch ``topic`` that left ``main`` some time ago."""

    folder: Path
    base: str
    """The tip of ``main``."""
    fork: str
    """Where ``topic`` left it."""
    head: str
    """The tip of ``topic``."""
    merge: str
    """The test merge, as refs/pull/7/merge: ``main`` first, as GitHub and GitLab do."""

    @property
    def url(self) -> str:
        return f"file://{self.folder}"


def home(folder: Path, *, main: int = 3, topic: int = 2, shared: int = 2) -> Home:
    """``shared`` commits, then so many on each branch; the forge's folder is bare."""
    work = folder / "work"
    work.mkdir(parents=True)
    git(work, "init", "-q", "-b", "main")
    fork = grow(work, "a.py", shared)
    git(work, "checkout", "-q", "-b", "topic")
    head = grow(work, "b.py", topic)
    git(work, "checkout", "-q", "main")
    base = grow(work, "a.py", main, shared)
    git(work, "checkout", "-q", "--detach")
    git(work, "merge", "-q", "--no-edit", "topic")
    merge = git(work, "rev-parse", "HEAD")
    git(work, "update-ref", "refs/pull/7/merge", merge)
    bare = folder / "home.git"
    git(folder, "clone", "-q", "--mirror", str(work), str(bare))
    return Home(bare, base, fork, head, merge)


def grow(work: Path, name: str, count: int, start: int = 0) -> str:
    """So many commits to one file of the branch that is checked out; the last of them."""
    branch = git(work, "symbolic-ref", "HEAD")
    known = subprocess.run(["git", "rev-parse", "-q", "--verify", "HEAD"], cwd=work, check=False)
    parent = f"from {branch}^0\n" if known.returncode == 0 else ""
    commits = (
        f"commit {branch}\ncommitter Ada <ada@example.org> {1_700_000_000 + number} +0000\n"
        f"{_data(f'{name} {number}')}{parent if number == start else ''}"
        f"M 100644 inline {name}\n{_data(f'{name} {number}')}"
        for number in range(start, start + count)
    )
    stream = "".join(commits).encode()
    subprocess.run(["git", "fast-import", "--quiet"], input=stream, cwd=work, check=True)
    git(work, "reset", "-q", "--hard")
    return git(work, "rev-parse", "HEAD")


def _data(text: str) -> str:
    return f"data {len(text) + 1}\n{text}\n\n"


def clone(folder: Path, origin: Home, commit_or_ref: str, depth: int | None = 1) -> Path:
    """As a CI job clones: one commit, checked out without a branch."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "unborn")
    git(folder, "remote", "add", "origin", origin.url)
    shallow = () if depth is None else (f"--depth={depth}",)
    git(folder, "fetch", "-q", "--no-tags", *shallow, "origin", f"+{commit_or_ref}:refs/job/head")
    git(folder, "checkout", "-q", "--detach", "refs/job/head")
    return folder


@dataclass
class Heard:
    """What a server was sent."""

    headers: list[str] = field(default_factory=list)
    """The Authorization header of each request, empty where there was none."""


@contextlib.contextmanager
def served(
    folder: Path, *, wanted: str = "", modern: bool = True, certificate: Path | None = None
) -> Iterator[tuple[str, Heard]]:
    """``folder`` over http on this machine, to those who send the Authorization ``wanted``.

    A server that is not ``modern`` hands out the tips of branches alone; one with a
    ``certificate``, key included, speaks https.
    """
    heard = Heard()
    with _listening(_handler(folder, wanted, modern, heard), certificate) as address:
        yield address, heard


@contextlib.contextmanager
def redirecting(target: str) -> Iterator[str]:
    """A server that sends everybody to ``target``."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(302)
            self.send_header("Location", f"{target}{self.path}")
            self.end_headers()

        def log_message(self, format: str, *arguments: object) -> None:
            """Silent."""

    with _listening(Handler, None) as address:
        yield address


@contextlib.contextmanager
def _listening(
    handler: type[http.server.BaseHTTPRequestHandler], certificate: Path | None
) -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    scheme = "https" if certificate else "http"
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"{scheme}://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def _handler(
    folder: Path, wanted: str, modern: bool, heard: Heard
) -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer(b"")

        def do_POST(self) -> None:
            self._answer(self.rfile.read(int(self.headers["Content-Length"])))

        def _answer(self, body: bytes) -> None:
            said = self.headers.get("Authorization", "")
            heard.headers.append(said)
            if said != wanted:
                self.send_response(401)
                self.send_header("WWW-Authenticate", "Basic")
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            done = subprocess.run(
                ["git", "http-backend"],
                input=body,
                env=self._variables(),
                capture_output=True,
                check=True,
            )
            head, _, content = done.stdout.partition(b"\r\n\r\n")
            self.send_response(200)
            for line in head.decode().splitlines():
                name, _, value = line.partition(": ")
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def _variables(self) -> dict[str, str]:
            path, _, query = self.path.partition("?")
            return {
                "PATH": os.environ["PATH"],
                "GIT_PROJECT_ROOT": str(folder),
                "GIT_HTTP_EXPORT_ALL": "1",
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "REQUEST_METHOD": self.command,
                "REMOTE_ADDR": "127.0.0.1",
                "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                "GIT_PROTOCOL": self.headers.get("Git-Protocol", "") if modern else "",
                "GIT_CONFIG_COUNT": "1",
                "GIT_CONFIG_KEY_0": "safe.directory",
                "GIT_CONFIG_VALUE_0": "*",
            }

        def log_message(self, format: str, *arguments: object) -> None:
            """Silent."""

    return Handler
