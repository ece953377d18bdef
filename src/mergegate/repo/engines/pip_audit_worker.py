"""The child process that drives pip-audit: ``pip_audit_worker REPLIES ARGUMENT…``.

REPLIES is a JSON list of ``[name, version, records]``, in the form of OSV's API. Whatever pip-audit
asks for, by its library for requests, is answered from there: this process needs no network.
"""

import io
import json
import sys
from pathlib import Path
from typing import Any

import requests
from pip_audit._cli import audit  # type: ignore[import-untyped]
from requests.adapters import HTTPAdapter

_Replies = dict[tuple[str, str], list[dict[str, Any]]]


def main(argv: list[str]) -> None:
    """Never returns: pip-audit ends the process with its own exit code."""
    replies, *arguments = argv
    told = json.loads(Path(replies).read_text(encoding="utf-8"))
    _answer_from({(name, version): records for name, version, records in told})
    sys.argv[1:] = arguments
    audit()


def _answer_from(replies: _Replies) -> None:
    def send(
        _: HTTPAdapter, request: requests.PreparedRequest, *_args: object, **_options: object
    ) -> requests.Response:
        query = json.loads(str(request.body))
        found = replies[query["package"]["name"], query["version"]]
        return _response(request, {"vulns": found} if found else {})

    HTTPAdapter.send = send  # type: ignore[assignment, method-assign]


def _response(request: requests.PreparedRequest, answer: object) -> requests.Response:
    response = requests.Response()
    response.status_code = 200
    response.url = request.url or ""
    response.request = request
    response.raw = io.BytesIO(json.dumps(answer).encode())
    return response


if __name__ == "__main__":
    main(sys.argv[1:])
