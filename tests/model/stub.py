"""A provider on loopback that behaves as badly as it is told to, and keeps all that it receives."""

import contextlib
import json
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from mergegate.model.dialect import Dialect
from mergegate.model.http import Address, Direct, plainly
from mergegate.model.provider import Spoken

HUGE = 3 << 20
ENDLESS_S = 30.0


@dataclass(frozen=True)
class Turn:
    """How one request is answered."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    drip_s: float = 0.0
    """Before each byte."""
    wait_s: float = 0.0
    """Before the response."""
    open_s: float = 0.0
    """How long the connection stays open after the body, which has no length then."""
    reset: bool = False


@dataclass
class Stub:
    """The open stub."""

    port: int = 0
    turns: list[Turn] = field(default_factory=list)
    """What is asked next is answered so; the last answers all that follow."""
    received: list[bytes] = field(default_factory=list)
    """Request lines, headers and bodies, to the byte."""
    before: Callable[[], object] = bool
    """What happens before a question is answered."""
    ended: threading.Event = field(default_factory=threading.Event)

    @property
    def posts(self) -> int:
        """Questions alone."""
        return sum(one.startswith(b"POST") for one in self.received)

    def spoken(self, dialect: Dialect, key: str = "", most_bytes: int = 1 << 20) -> Spoken:
        """A model behind it."""
        address = Address(f"http://127.0.0.1:{self.port}/v1", dialect)
        return Spoken(address, "m-1", Direct(address, plainly(), key, most_bytes))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    stub: Stub

    def do_POST(self) -> None:
        head = f"{self.requestline}\r\n{self.headers}".encode()
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.stub.received.append(head + body)
        self.stub.before()
        turns = self.stub.turns
        self._answer(turns.pop(0) if len(turns) > 1 else turns[0])

    def do_GET(self) -> None:
        self.stub.received.append(f"{self.requestline}\r\n{self.headers}".encode())
        turn = self.stub.turns[0]
        self._answer(turn if turn.reset or turn.wait_s else Turn(b'{"data":[]}', turn.status))

    def _answer(self, turn: Turn) -> None:
        self.close_connection = True
        if turn.reset:
            return
        self.stub.ended.wait(turn.wait_s)
        self.send_response(turn.status)
        for name, value in turn.headers.items():
            self.send_header(name, value)
        if not turn.open_s:
            self.send_header("Content-Length", str(len(turn.body)))
        self.end_headers()
        with contextlib.suppress(OSError):  # the client has heard enough
            for one in [turn.body] if not turn.drip_s else [bytes([b]) for b in turn.body]:
                self.wfile.write(one)
                self.stub.ended.wait(turn.drip_s)
            self.stub.ended.wait(turn.open_s)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextlib.contextmanager
def stub(*turns: Turn, tls: ssl.SSLContext | None = None) -> Iterator[Stub]:
    """A stub while inside, which answers as ``turns`` say."""
    held = Stub(turns=list(turns))
    handler = type("_Of", (_Handler,), {"stub": held})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        if tls:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        held.port = server.server_port
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield held
        finally:
            held.ended.set()
            server.shutdown()
            thread.join()


def _events(*events: Mapping[str, Any], named: bool, last: str = "") -> bytes:
    lines = []
    for one in events:
        lines += [f"event: {one['type']}"] if named else []
        lines += [f"data: {json.dumps(one)}", ""]
    return ("\n".join([*lines, *([f"data: {last}", ""] if last else []), ""])).encode()


def _chunk(choices: Sequence[Mapping[str, Any]], **more: Any) -> dict[str, Any]:
    same = {"id": "c-1", "object": "chat.completion.chunk", "created": 1, "model": "m-1"}
    return {**same, "choices": list(choices), **more}


def chunks(
    text: str, end: str | None = "stop", *, refusal: str | None = None
) -> list[dict[str, Any]]:
    """Chat completions as a stream, in pieces of seven letters."""
    pieces = [text[at : at + 7] for at in range(0, len(text), 7)]
    said: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    said += [{"content": one} for one in pieces]
    said += [{"refusal": refusal}] if refusal else []
    usage = {"prompt_tokens": 30, "completion_tokens": 20, "total_tokens": 50}
    return [
        *(_chunk([{"index": 0, "delta": one, "finish_reason": None}]) for one in said),
        *([_chunk([{"index": 0, "delta": {}, "finish_reason": end}])] if end else []),
        _chunk([], usage=usage),
    ]


def completion(text: str, end: str = "stop") -> dict[str, Any]:
    """Chat completions as one reply."""
    message = {"role": "assistant", "content": text, "refusal": None}
    choice = {"index": 0, "message": message, "finish_reason": end, "logprobs": None}
    usage = {"prompt_tokens": 30, "completion_tokens": 20, "total_tokens": 50}
    same = {"id": "c-1", "object": "chat.completion", "created": 1, "model": "m-1"}
    return {**same, "choices": [choice], "usage": usage}


_USED = {"input_tokens": 30, "output_tokens": 20}


def message(blocks: Sequence[Mapping[str, Any]], end: str | None = "tool_use") -> dict[str, Any]:
    """Messages as one reply."""
    same = {"id": "m-1", "type": "message", "role": "assistant", "model": "m-1"}
    return {**same, "content": blocks, "stop_reason": end, "stop_sequence": None, "usage": _USED}


def tool(given: Mapping[str, Any], name: str = "answer") -> dict[str, Any]:
    """A block that gives a tool something."""
    return {"type": "tool_use", "id": "t-1", "name": name, "input": given}


def events(
    text: str, end: str | None = "tool_use", *, name: str = "answer", prose: str = ""
) -> list[dict[str, Any]]:
    """Messages as a stream: prose first, then what the tool is given."""
    found: list[dict[str, Any]] = [{"type": "message_start", "message": message([], None)}]
    parts = [
        ("text", "text_delta", "text", prose),
        ("tool_use", "input_json_delta", "partial_json", text),
    ]
    for index, (kind, delta, key, said) in enumerate(one for one in parts if one[3]):
        block = tool({}, name) if kind == "tool_use" else {"type": "text", "text": ""}
        found.append({"type": "content_block_start", "index": index, "content_block": block})
        found += [
            {
                "type": "content_block_delta",
                "index": index,
                "delta": {"type": delta, key: said[at : at + 7]},
            }
            for at in range(0, len(said), 7)
        ]
        found.append({"type": "content_block_stop", "index": index})
    if end:
        left = {"stop_reason": end, "stop_sequence": None}
        found.append({"type": "message_delta", "delta": left, "usage": _USED})
        found.append({"type": "message_stop"})
    return found


def streamed(said: Sequence[Mapping[str, Any]], **how: Any) -> Turn:
    """A turn that streams the chunks or events."""
    named = "type" in said[0]
    body = _events(*said, named=named, last="" if named else "[DONE]")
    return Turn(body, headers={"Content-Type": "text/event-stream"}, **how)


def whole(said: Mapping[str, Any], status: int = 200) -> Turn:
    """A turn that answers with one document."""
    return Turn(json.dumps(said).encode(), status, {"Content-Type": "application/json"})
