"""What an error is called in the API, and what a stranger may be told of it."""

from collections.abc import Mapping

from mergegate.core.errors import Failed, MergegateError, PolicyError, TargetError, UsageError
from mergegate.core.render.escape import visible

INTERNAL = Failed(
    "INTERNAL",
    "The scan ended in a mistake of this host. Its operator finds the reason in the log.",
)
LATE = Failed("SCAN_TIMEOUT", "The scan took longer than it may.")
BROKEN_BROWSER = Failed(
    "TARGET_NOT_ANALYSABLE",
    "The page could not be analysed: the browser ended or hung while it was open.",
)
OVERWHELMED = Failed(
    "TARGET_NOT_ANALYSABLE",
    "It could not be analysed: the scanner crashed on it, or would have used more than it may.",
)
NOT_CONNECTED = Failed(
    "PROVIDER_NOT_CONNECTED",
    "The account is not connected to the provider of the repository.",
)
AMBIGUOUS = Failed(
    "INVALID_REQUEST", "The account has more than one connection: name the provider."
)
CANCELLED = "CANCELLED"
"""The code of a scan that was called off."""
LOST_AGAIN = Failed(
    "WORKER_LOST",
    "Each worker that scanned the change so far was lost; it is tried for the last time now.",
)
_AGAIN = "Comment `/mergegate rescan`, or push."
_TELL = "If it happens again, tell whoever runs this host: the log says why."
_NEXT: Mapping[str, str] = {
    "PROVIDER_ACCESS_DENIED": "Give the app or token that Mergegate answers with access to the"
    f" repository's contents. {_AGAIN}",
    "PROVIDER_TOKEN_REVOKED": "Give the host a token that is valid. " + _AGAIN,
    "PROVIDER_UNREACHABLE": f"Wait a moment. {_AGAIN}",
    "REPOSITORY_TOO_LARGE": "Scan it in a job of your own with `mergegate ci`, or remove what makes"
    " it so large.",
    "COMMIT_NOT_FOUND": "Rebase the change on the branch it wants into, and push.",
    "BRANCH_NOT_FOUND": "Let the change go into a branch that is there, and push.",
    "INVALID_POLICY": "Mend `.mergegate.yml` in the branch that the change wants into; `mergegate"
    f" policy` names the mistake. {_AGAIN}",
    "TARGET_NOT_ANALYSABLE": "Scan it on a machine of your own with `mergegate scan` to see which"
    f" file it is. {_TELL}",
    "SCAN_TIMEOUT": f"{_AGAIN} A repository that always takes too long is scanned in a job of your"
    " own with `mergegate ci`.",
}
"""What a reviewer can do, by the code of a failure."""
_LONGEST = 500
_USUAL_CODES: tuple[tuple[type[MergegateError], str], ...] = (
    (PolicyError, "INVALID_POLICY"),
    (UsageError, "INVALID_REQUEST"),
    (TargetError, "TARGET_NOT_ANALYSABLE"),
)
"""Of errors that bring no code of their own."""


def next_step(code: str) -> str:
    """What who waits for a change's answer does now that it could not be scanned."""
    return _NEXT.get(code, f"{_AGAIN} {_TELL}")


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
