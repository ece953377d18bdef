"""The frame of a SARIF 2.1.0 log: what every log of Mergegate says in the same way."""

import re
from collections.abc import Sequence
from typing import Any

from mergegate.core.render import escape, machine

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
# SARIF 3.11.6: in a message, [text](target) is a link.
_LINK = re.compile(r"\[(?=[^\[\]]*\]\()")

Json = dict[str, Any]


def document(run: Json) -> str:
    """The log of one run, compact and in ASCII."""
    return machine.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}) + "\n"


def driver(version: str, rules: Sequence[Json]) -> Json:
    """The SARIF ``driver``: Mergegate and its rules; without a version if that is empty."""
    named = {"name": "mergegate", "rules": list(rules)}
    return named | ({"version": version} if version else {})


def invocation(*, complete: bool, notes: Sequence[Json], begun: str, ended: str) -> Json:
    """How the scan went; a time that is none is left out."""
    times = {"startTimeUtc": begun, "endTimeUtc": ended}
    return {
        "executionSuccessful": complete,
        "toolExecutionNotifications": list(notes),
        **{name: value for name, value in times.items() if machine.moment(value)},
    }


def note(level: str, text: str) -> Json:
    """A notification: ``error`` for what is missing, ``warning`` for what was cut short."""
    return {"level": level, "message": {"text": escape.visible(text)}}


def message(text: str) -> str:
    """Plain text in which nothing is taken for a link."""
    return _LINK.sub(r"\\[", escape.visible(text))
