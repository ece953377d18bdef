"""What a status and an error's body mean, in our own words: the provider's are not repeated."""

import re
from http import HTTPStatus

from mergegate.model.protocol import Fault, NoAnswer
from mergegate.model.reply import Reply, document, letters, part

_MACHINE_WORD = re.compile(r"[a-z][a-z0-9_]{2,59}")
_READ_BYTES = 4096
"""How much is read of an error's body."""
_TOO_LONG = ("context_length", "context_size", "prompt is too long")
"""`context_length_exceeded`, `exceed_context_size_error`, `prompt is too long: 9 tokens > 8`."""
_FAULTS = {
    **dict.fromkeys((400, 405, 415, 422), Fault.INVALID),
    **dict.fromkeys((401, 403), Fault.DENIED),
    **dict.fromkeys((402, 408, 429, 500, 502, 503, 504, 529), Fault.OVERLOADED),
    404: Fault.UNKNOWN,
    413: Fault.TOO_LONG,
}
_WHAT = {
    Fault.UNREACHABLE: "the model's provider does not answer as its API does",
    Fault.DENIED: "the model's provider does not accept the key",
    Fault.UNKNOWN: "the model's provider has no such model or address",
    Fault.INVALID: "the model's provider does not take such a request",
    Fault.TOO_LONG: "the question is too long for the model",
    Fault.OVERLOADED: "the model's provider has no capacity now",
}
_REMEDIES = {
    Fault.UNREACHABLE: "Check MERGEGATE_MODEL_URL.",
    Fault.DENIED: "Check MERGEGATE_MODEL_KEY.",
    Fault.UNKNOWN: "Check MERGEGATE_MODEL_URL and the model's name.",
}


def refuse(reply: Reply) -> None:
    """Raise NoAnswer where ``reply`` is no success; a redirect is none, wherever it leads."""
    if HTTPStatus.OK <= reply.status < HTTPStatus.MULTIPLE_CHOICES:
        return
    said = reply.content[:_READ_BYTES].decode("utf-8", "replace")
    fault = _FAULTS.get(reply.status, Fault.UNREACHABLE)
    if fault is Fault.INVALID and any(one in said for one in _TOO_LONG):
        fault = Fault.TOO_LONG
    raise failure(fault, f"HTTP {reply.status}{_kind(reply.content)}")


def failure(fault: Fault, detail: str) -> NoAnswer:
    """The error, with a ``detail`` that is ours or harmless."""
    return NoAnswer(fault, f"{_WHAT[fault]} ({detail})", remedy=_REMEDIES.get(fault, ""))


def interrupted(kind: object) -> NoAnswer:
    """The error that a provider tells of in the middle of a reply."""
    return failure(Fault.OVERLOADED, f"it broke off{_plain(kind)}")


def _kind(content: bytes) -> str:
    try:
        return _plain(part(document(content), "error", "type"))
    except ValueError:
        return ""


def _plain(kind: object) -> str:
    """``, rate_limit_error`` where it is such a word."""
    word = letters(kind)
    return f", {word}" if _MACHINE_WORD.fullmatch(word) else ""
