"""The code and the sentence that the API gives for an error, without a word about this machine."""

from dataclasses import dataclass
from pathlib import Path

from mergegate.core.data_table import read_table
from mergegate.core.errors import Failed, MergegateError, PolicyError, TargetError, UsageError
from mergegate.core.render.escape import visible


@dataclass(frozen=True)
class _Text:
    id: str
    text: str


_FAILED = read_table(Path(__file__).with_suffix(".toml"), Failed, key="")
INTERNAL = _FAILED["internal"]
LATE = _FAILED["late"]
BROKEN_BROWSER = _FAILED["broken-browser"]
OVERWHELMED = _FAILED["overwhelmed"]
EXHAUSTED = _FAILED["exhausted"]
KILLED = _FAILED["killed"]
NOT_CONNECTED = _FAILED["not-connected"]
AMBIGUOUS = _FAILED["ambiguous"]
LOST_AGAIN = _FAILED["lost-again"]
CANCELLED = "CANCELLED"
"""The code of a scan that was called off."""
_AGAIN = "Comment `/mergegate rescan`, or push."
_TELL = "If it happens again, tell whoever runs this host: the log says why."
_NEXT = read_table(Path(__file__).with_name("next_steps.toml"), _Text)
"""What a reviewer can do, by the code of a failure."""
_LONGEST = 500
_USUAL_CODES: tuple[tuple[type[MergegateError], str], ...] = (
    (PolicyError, "INVALID_POLICY"),
    (UsageError, "INVALID_REQUEST"),
    (TargetError, "TARGET_NOT_ANALYSABLE"),
)
"""Codes of errors that bring none of their own."""


def next_step(code: str) -> str:
    """What the author of a change can do when a failure of that code kept it from a scan."""
    known = _NEXT[code].text if code in _NEXT else "{again} {tell}"
    return known.format(again=_AGAIN, tell=_TELL)


def failed(error: MergegateError) -> Failed:
    """The outcome that ``error`` is; :data:`INTERNAL` for one that tells of this machine.

    The remedy is left out: it speaks to a person at the command line.
    """
    code = error.code or next((name for kind, name in _USUAL_CODES if isinstance(error, kind)), "")
    if not code:
        return INTERNAL
    said = visible(error.what)[:_LONGEST].rstrip(".")
    start = said[:1] if "://" in said.partition(" ")[0] else said[:1].upper()
    return Failed(code, f"{start}{said[1:]}.")
