"""Serve a site from this machine while it is looked at: a built folder, or a team's own command."""

import contextlib
import gzip
import http.server
import mimetypes
import os
import shutil
import socket
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from urllib.parse import unquote, urlsplit

from mergegate.core.errors import EngineMissing, TargetError, TargetUnreachable
from mergegate.core.web_address import DEFAULT_PORTS
from mergegate.sandbox.process.run import MEBIBYTE, Limits
from mergegate.sandbox.process.supervised import supervised

_LOOPBACK = "127.0.0.1"
_COMMAND_LIMITS = Limits(memory_bytes=4096 * MEBIBYTE)
_LOOK_EVERY_S = 0.2
_CONNECT_S = 2.0
_INDEX, _NOT_FOUND = "index.html", "404.html"


@contextlib.contextmanager
def folder_served(folder: Path) -> Iterator[str]:
    """The address, on loopback, at which the files of ``folder`` can be seen while inside.

    As static hosts do it: ``/about`` is ``about/index.html`` or ``about.html``, and what is not
    there is ``404.html`` with status 404. No link leads out of the folder. Raises TargetError.
    """
    root = folder.resolve()
    if not root.is_dir():
        raise TargetError(f"{folder} is no folder", remedy="Build the site before it is looked at.")
    handler = type("_FilesOf", (_Files,), {"root": root})
    with _Server((_LOOPBACK, 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://{_LOOPBACK}:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


@contextlib.contextmanager
def command_served(
    argv: Sequence[str],
    cwd: Path,
    address: str,
    *,
    environment: Mapping[str, str] = os.environ,
    patience_s: float = 120.0,
) -> Iterator[None]:
    """Run the team's own ``argv`` in ``cwd`` while inside, once ``address`` takes connections.

    It gets PATH of ``environment`` and no other variable: what it serves is untrusted, and so is
    it. Raises TargetUnreachable when it ends, does not listen in time, or another one listens there
    already, whose site it would be that is judged; EngineMissing when there is no such program.
    """
    variables = {"PATH": environment.get("PATH", os.defpath)}
    program = _program(argv[0], variables["PATH"])
    if _listens(address):
        raise TargetUnreachable(
            "the command that serves the site was not started: something listens at the site's "
            "address already",
            remedy="End that, or give an address with another port.",
        )
    with supervised(
        [program, *argv[1:]],
        cwd=cwd,
        limits=_COMMAND_LIMITS,
        environment=variables,
        network=True,
        answers=False,
    ) as server:
        deadline = time.monotonic() + patience_s
        while not _listens(address):
            if not server.alive or time.monotonic() > deadline:
                raise _silent(server.complaints(), running=server.alive)
            time.sleep(_LOOK_EVERY_S)
        yield


def _program(name: str, path: str) -> str:
    found = shutil.which(name, path=path)
    if found is None:
        raise EngineMissing("the command that serves the site is not installed")
    return found


def _listens(address: str) -> bool:
    parts = urlsplit(address)
    port = parts.port or DEFAULT_PORTS[parts.scheme]
    try:
        socket.create_connection((parts.hostname, port), _CONNECT_S).close()
    except OSError:
        return False
    return True


def _silent(complaints: str, *, running: bool) -> TargetUnreachable:
    ended = "does not listen at the site's address" if running else "has ended"
    last = " ".join(complaints.split())[-200:]
    said = f"; it said: {last!a}" if last else ""
    remedy = "Check its port." if running else "It has to stay in the foreground: run it by hand."
    return TargetUnreachable(f"the command that serves the site {ended}{said}", remedy=remedy)


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a browser that hung up: the traceback of it would go to a job's log."""


class _Files(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    root: Path

    def do_GET(self) -> None:
        """Answer as static hosts do."""
        asked = unquote(urlsplit(self.path).path, errors="surrogateescape")
        found = _found(self.root, asked.strip("/"))
        if found and found.name == _INDEX and not asked.endswith(("/", _INDEX)):
            self._redirect()
        elif found:
            self._send(HTTPStatus.OK, found)
        else:
            self._send(HTTPStatus.NOT_FOUND, _inside(self.root, _NOT_FOUND))

    do_HEAD = do_GET  # noqa: N815 - http.server calls it so

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: a job's log is no place for what a page asks for."""

    def _redirect(self) -> None:
        """Relative links of a folder's page need the slash at its end."""
        parts = urlsplit(self.path)
        query = f"?{parts.query}" if parts.query else ""
        self._answer(HTTPStatus.MOVED_PERMANENTLY, b"", {"Location": f"{parts.path}/{query}"})

    def _send(self, status: HTTPStatus, file: Path | None) -> None:
        if file is None:
            self._answer(status, b"Not found", {"Content-Type": "text/plain"})
            return
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        body, headers = file.read_bytes(), {"Content-Type": _with_charset(kind)}
        if _shrinks(kind) and "gzip" in self.headers.get("Accept-Encoding", ""):
            body = gzip.compress(body, compresslevel=6, mtime=0)
            headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        self._answer(status, body, headers)

    def _answer(self, status: HTTPStatus, body: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def _with_charset(kind: str) -> str:
    return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind


def _shrinks(kind: str) -> bool:
    return kind.startswith("text/") or kind.endswith(("javascript", "json", "xml"))


def _found(root: Path, asked: str) -> Path | None:
    """The file that is meant by ``asked``, inside the folder whatever path and links say."""
    candidates = (asked, f"{asked}/{_INDEX}".lstrip("/"), f"{asked}.html")
    return next((found for one in candidates if (found := _inside(root, one))), None)


def _inside(root: Path, relative: str) -> Path | None:
    """The file of that name; None where there is none, and for a name that no file can have."""
    try:
        found = (root / relative).resolve()
        return found if found.is_relative_to(root) and found.is_file() else None
    except (OSError, ValueError):
        return None
