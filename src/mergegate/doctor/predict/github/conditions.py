"""What an ``if:`` answers when a certain event starts the workflow."""

import re

from mergegate.doctor.predict.logic import UNKNOWN, Language, Look, Value, holds

_OWN_NAME = re.compile(
    r"github\.repository(?:_owner)?\s*==\s*'[^']*'|'[^']*'\s*==\s*github\.repository(?:_owner)?\b"
)
_STATUS: dict[str, Value] = {"always": True, "success": True, "cancelled": False, "failure": False}
_PAYLOADS = {
    "github.event.pull_request": ("pull_request", "pull_request_target"),
    "github.event.pull_request.number": ("pull_request", "pull_request_target"),
    "github.event.merge_group": ("merge_group",),
    "github.base_ref": ("pull_request", "pull_request_target"),
    "github.head_ref": ("pull_request", "pull_request_target"),
}


def runs(condition: str, event: str) -> bool | None:
    """Whether ``condition`` lets a job or step run on ``event``; None where the run decides.

    All before it is taken to have gone well, and the repository to be the one it names.
    """
    bare = condition.strip()
    if bare.startswith("${{") and bare.endswith("}}") and bare.count("${{") == 1:
        bare = bare[3:-2]
    if "${{" in bare:
        return None
    return holds(_OWN_NAME.sub("true", bare), Language(_looking(event), _asked, ignores_case=True))


def _asked(name: str) -> Value:
    return _STATUS.get(name, UNKNOWN)


def _looking(event: str) -> Look:
    def look(name: str) -> Value:
        if name == "github.event_name":
            return event
        if name in _PAYLOADS and event not in _PAYLOADS[name]:
            return None
        # What is there is true; which one it is, only the run knows.
        return UNKNOWN

    return look
