"""The process that holds a model's key, and has no network: ``python -m mergegate.model.worker``.

Standard input brings a greeting, an order with the key, and then requests, one a line; each is
answered by one line. To the greeting it answers once nobody of its account can look into it. A
proxy's Unix socket is the only way out of here, and leads to one host.
"""

import base64
import json
import os
import ssl
import sys
from typing import IO, Any

import httpcore

from mergegate.model.anthropic import ANTHROPIC
from mergegate.model.http import Address, Direct, through
from mergegate.model.openai import OPENAI
from mergegate.model.protocol import NoAnswer
from mergegate.sandbox.process.deny_ptrace import deny_ptrace

_DIALECTS = {one.name: one for one in (OPENAI, ANTHROPIC)}


def main() -> None:
    """Answer until standard input ends."""
    deny_ptrace()
    answers = _own_answers()
    sys.stdin.buffer.readline()
    _say(answers, {"hidden": True})
    wire = _wire(json.loads(sys.stdin.buffer.readline()))
    _say(answers, {"ready": True})
    for line in sys.stdin.buffer:
        _say(answers, _answered(wire, json.loads(line)))


def _own_answers() -> IO[bytes]:
    """Standard output, which from now on nobody else in this process writes to."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def _say(answers: IO[bytes], said: dict[str, Any]) -> None:
    answers.write(json.dumps(said).encode() + b"\n")
    answers.flush()


def _wire(order: dict[str, str]) -> Direct:
    address = Address(order["base"], _DIALECTS[order["dialect"]])
    return Direct(address, through(order["socket"], _trusted(order["authorities"])), order["key"])


def _trusted(authorities: str) -> ssl.SSLContext:
    """Those whom httpcore brings, those whom this machine knows, and the operator's own."""
    context = httpcore.default_ssl_context()
    context.load_default_certs()
    if authorities:
        context.load_verify_locations(cadata=authorities)
    return context


def _answered(wire: Direct, request: dict[str, Any]) -> dict[str, Any]:
    try:
        if "body" in request:
            reply = wire.post(request["body"].encode(), request["within_s"])
        else:
            reply = wire.look()
    except NoAnswer as error:
        return {"fault": error.fault, "what": error.what, "remedy": error.remedy}
    return {"status": reply.status, "content": base64.b64encode(reply.content).decode()}


if __name__ == "__main__":
    main()
