"""What our own comments remember, hidden in their text; never trusted from another author."""

import base64
import binascii
import json
import re
import zlib
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

_VERSION = 1
_MOST_BYTES = 256 * 1024
MOST_PUSHES = 20
"""How many pushes a summary comment remembers, the newest of them."""


class Hiding(StrEnum):
    """How a forge's Markdown hides text."""

    HTML = "html"
    """An HTML comment: GitHub, GitLab."""
    REFERENCE = "reference"
    """A link reference that nothing uses: Bitbucket, which shows HTML."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Push:
    """One earlier answer on the same change."""

    head: str
    gate: str
    score: int
    new: int | None
    at: str
    """ISO 8601, UTC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiver:
    """A finding set aside by a comment command of a person who may write to the repository."""

    id: str
    """The finding's id, or at least its first ten characters."""
    reason: str
    owner: str
    """The forge's name for the person who gave the command."""
    expires: str
    """ISO date: the first day on which it no longer holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What the summary comment of a change remembers."""

    head: str
    sequence: int
    pushes: tuple[Push, ...] = ()
    """Oldest first, this answer last."""
    waivers: tuple[Waiver, ...] = ()


def remember(state: State, hiding: Hiding) -> str:
    """The hidden line that :func:`recall` reads."""
    plain = json.dumps({"version": _VERSION, **asdict(state)}, separators=(",", ":"))
    packed = base64.urlsafe_b64encode(zlib.compress(plain.encode(), 9)).decode()
    return hidden(f"mergegate:state {packed}", hiding)


def recall(body: str) -> State | None:
    """The state in a comment of ours; None when there is none or it is damaged."""
    match = _STATE.search(body)
    if match is None:
        return None
    try:
        return _state(json.loads(_unpack(match[1])))
    except (ValueError, TypeError, KeyError, RecursionError, binascii.Error, zlib.error):
        return None


def with_state(body: str, state: State, hiding: Hiding) -> str:
    """``body`` with ``state`` in place of what it remembered."""
    line = remember(state, hiding)
    if _STATE.search(body):
        return _STATE.sub(lambda _: line, body, count=1)
    return f"{body.rstrip()}\n\n{line}\n"


def is_summary(body: str) -> bool:
    """Whether the body carries the summary comment's marker, readable or not."""
    return _STATE.search(body) is not None


def mark(finding_id: str, hiding: Hiding) -> str:
    """The hidden line by which a review comment names its finding."""
    return hidden(f"mergegate:finding {finding_id}", hiding)


def marked(body: str) -> str | None:
    """The id of the finding that a review comment of ours is about."""
    match = _FINDING.search(body)
    return match[1] if match else None


_OPEN = r"^(?:<!-- |\[//\]: # \()"
_CLOSE = r"(?: -->|\))$"
_STATE = re.compile(rf"{_OPEN}mergegate:state ([\w=-]+){_CLOSE}", re.MULTILINE)
_FINDING = re.compile(rf"{_OPEN}mergegate:finding ([0-9a-f]{{8,64}}){_CLOSE}", re.MULTILINE)


def hidden(text: str, hiding: Hiding) -> str:
    """A line of Markdown that holds ``text`` and shows nothing."""
    return f"<!-- {text} -->" if hiding is Hiding.HTML else f"[//]: # ({text})"


def _unpack(packed: str) -> bytes:
    """At most 256 KiB: a damaged marker is no reason to fill the memory."""
    engine = zlib.decompressobj()
    plain = engine.decompress(base64.urlsafe_b64decode(packed), _MOST_BYTES)
    if not engine.eof:
        raise ValueError("the state is larger than ever written")
    return plain


def _state(said: dict[str, Any]) -> State:
    if said.pop("version") != _VERSION:
        raise ValueError("the state has another version")
    pushes = [Push(**one) for one in _rows(said.pop("pushes"))]
    waivers = [Waiver(**one) for one in _rows(said.pop("waivers"))]
    return State(pushes=tuple(pushes), waivers=tuple(waivers), **said)


def _rows(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list):
        raise TypeError("a list was expected")
    return value
