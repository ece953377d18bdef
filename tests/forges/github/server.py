"""The stand-in behind a port."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.forges.github.graph import graph
from tests.forges.github.hub import TOKENS, Answer, Hub, Refused, Request
from tests.forges.github.stand_in import answer


@contextmanager
def serving(hub: Hub) -> Iterator[str]:
    """The API's address, laid out as an Enterprise Server does, while the block lasts."""
    lock = Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # One packet an answer: two of them wait 40 ms for each other.
        wbufsize = -1

        def _serve(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(size)) if size else None
            self._send(_answer(hub, lock, self.command, self.path, dict(self.headers), body))

        def _send(self, said: Answer) -> None:
            raw = b"" if said.said is None else json.dumps(said.said).encode()
            self.send_response(said.status)
            # Without a character set the client looks through each answer for one.
            kind = {"Content-Type": "application/json; charset=utf-8"}
            for name, text in {**kind, **said.headers}.items():
                self.send_header(name, text)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        do_GET = do_POST = do_PATCH = do_DELETE = _serve  # noqa: N815

        def log_message(self, format: str, *args: Any) -> None:
            """The tests read ``hub.log``."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/api/v3"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _marked(said: Answer) -> Answer:
    """What a test made up is not held against GitHub's description."""
    return replace(said, headers={**said.headers, "X-Trouble": "made up"})


def _answer(
    hub: Hub, lock: Lock, verb: str, target: str, headers: dict[str, str], body: Any
) -> Answer:
    address = urlsplit(target)
    line = f"{verb} {address.path}"
    for pattern, act in list(hub.interludes):
        if re.search(pattern, line):
            act()
    with lock:
        hub.log.append(line)
        for trouble in hub.troubles:
            if re.search(trouble[0], line):
                hub.troubles.remove(trouble)
                return _marked(trouble[1])
        token = TOKENS.get(headers.get("Authorization", "").removeprefix("token "))
        if token is None:
            return Refused(401, "Bad credentials").answer
        if address.path == "/api/graphql":
            return graph(hub, token, body)
        query = dict(parse_qsl(address.query))
        try:
            return answer(hub, Request(verb, address.path, query, body, token))
        except Refused as refused:
            return refused.answer
